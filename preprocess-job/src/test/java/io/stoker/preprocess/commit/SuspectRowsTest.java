package io.stoker.preprocess.commit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.stoker.preprocess.commit.SuspectRows.Mode;
import io.stoker.preprocess.manifest.Provenance;
import io.stoker.preprocess.shard.Attempt;
import io.stoker.preprocess.store.OutputStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Notes of attempts that died; dying is an {@link OutOfMemoryError} here. */
class SuspectRowsTest {
  private static final Provenance ROW = new Provenance("s3a://b/m.jsonl", 4711, 12);
  private static final Provenance OTHER = new Provenance("s3a://b/m.jsonl", 4811, 13);

  private final OutputStore store;
  private final ReentrantLock lock = new ReentrantLock();

  SuspectRowsTest(@TempDir Path directory) throws IOException {
    this.store = new OutputStore(directory.toString(), new Configuration(false));
  }

  private SuspectRows attempt(long attempt, Mode mode) throws IOException {
    return new SuspectRows(store, "0123", new Attempt("job", 3, attempt), mode, lock);
  }

  private void dieAt(Provenance row, long attempt) throws IOException {
    SuspectRows rows = attempt(attempt, Mode.CAREFUL);
    assertFalse(rows.condemns(row));
    assertThrows(
        OutOfMemoryError.class,
        () ->
            rows.working(
                row,
                () -> {
                  throw new OutOfMemoryError("of the test");
                }));
    assertFalse(lock.isLocked());
  }

  @Test
  void twoDeathsAtOneRowCondemnItAndNoOther() throws IOException {
    dieAt(ROW, 1);
    dieAt(OTHER, 2);
    assertFalse(attempt(3, Mode.CAREFUL).condemns(ROW), "one death is no evidence");
    dieAt(ROW, 4);
    for (Mode mode : new Mode[] {Mode.CAREFUL, Mode.READ}) {
      assertTrue(attempt(5, mode).condemns(ROW));
      assertFalse(attempt(5, mode).condemns(OTHER));
    }
    assertFalse(attempt(5, Mode.OFF).condemns(ROW));
    assertTrue(SuspectRows.any(store, "0123"));
    assertFalse(SuspectRows.any(store, "4567"));
    SuspectRows elsewhere =
        new SuspectRows(store, "0123", new Attempt("job", 4, 5), Mode.READ, lock);
    assertFalse(elsewhere.condemns(ROW), "of another partition");
  }

  @Test
  void workThatEndsLeavesNoNote() throws Exception {
    SuspectRows rows = attempt(1, Mode.CAREFUL);
    String result =
        rows.working(
            ROW,
            () -> {
              assertEquals(1, store.list("_staging").size());
              assertTrue(lock.isHeldByCurrentThread());
              return "done";
            });
    assertEquals("done", result);
    assertThrows(
        IllegalStateException.class,
        () ->
            rows.working(
                ROW,
                () -> {
                  throw new IllegalStateException("a failure, no death");
                }));
    assertEquals(0, store.list("_staging").size());
    assertFalse(lock.isLocked());
  }

  /** A speculative attempt lives beside the one that it overtakes. */
  @Test
  void attemptsThatHaveGoneOnSinceAreNotDead() throws IOException {
    dieAt(ROW, 1);
    SuspectRows living = attempt(2, Mode.CAREFUL);
    SuspectRows[] third = new SuspectRows[1];
    living.working(
        ROW,
        () -> {
          third[0] = attempt(3, Mode.CAREFUL);
          return "";
        });
    assertFalse(third[0].condemns(ROW));
  }

  @Test
  void aFirstAttemptWritesNothing() throws Exception {
    for (Mode mode : new Mode[] {Mode.OFF, Mode.READ}) {
      assertEquals(0, attempt(1, mode).working(ROW, () -> store.list("_staging").size()));
    }
  }
}
