package io.stoker.preprocess.commit;

import io.stoker.preprocess.manifest.Provenance;
import io.stoker.preprocess.shard.Attempt;
import io.stoker.preprocess.store.OutputStore;
import io.stoker.preprocess.store.OutputStore.StoredObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;

/**
 * Isolates rows that kill their executor. An attempt after the first is careful: it writes down
 * which row it is about to work on, and removes that note afterwards. A note that stays names the
 * row at which its attempt died. A row at which two careful attempts died is given up. One death
 * proves nothing: machines die at any row.
 *
 * <p>Careful attempts in one process work on one row at a time. So no row is suspected because of
 * what another task did to the process. The caller waits for its own background work before it
 * calls, so that no row is suspected because of that either. Not thread-safe.
 */
public final class SuspectRows {
  private static final String DIRECTORY = "_staging/%s/suspects";
  private static final int DEATHS = 2;

  /** Whether this attempt writes down what it does. */
  public enum Mode {
    /** First attempt of a task, and no attempt has died: costs nothing. */
    OFF,
    /** First attempt of a task, but earlier runs left notes. */
    READ,
    /** A later attempt: a request to write and one to remove a note for every row and stage. */
    CAREFUL
  }

  private final OutputStore store;
  private final Mode mode;
  private final Lock oneAtATime;
  private final String note;
  private final Map<String, List<String>> notes = new HashMap<>();

  /**
   * @param oneAtATime shared by the tasks of a process
   * @throws IOException if the notes of earlier attempts cannot be read
   */
  public SuspectRows(
      OutputStore store, String datasetId, Attempt attempt, Mode mode, Lock oneAtATime)
      throws IOException {
    this.store = store;
    this.mode = mode;
    this.oneAtATime = oneAtATime;
    String directory =
        String.format(Locale.ROOT, DIRECTORY + "/p%06d", datasetId, attempt.partition());
    this.note = "%s/%s-a%d.json".formatted(directory, attempt.jobId(), attempt.attempt());
    if (mode != Mode.OFF) {
      for (StoredObject object : store.list(directory)) {
        String row = read(object.name());
        if (!row.isEmpty()) {
          notes.computeIfAbsent(row, key -> new ArrayList<>()).add(object.name());
        }
      }
    }
  }

  /** Whether attempts at a dataset died and left notes. */
  public static boolean any(OutputStore store, String datasetId) throws IOException {
    return !store.list(DIRECTORY.formatted(datasetId)).isEmpty();
  }

  private String read(String name) throws IOException {
    byte[] json = store.read(name);
    return json == null ? "" : text(json);
  }

  private static String text(byte[] json) {
    return new String(json, StandardCharsets.UTF_8);
  }

  /** Whether a row is to be given up. */
  public boolean condemns(Provenance row) throws IOException {
    String wanted = text(StagingJson.write(row));
    int deaths = 0;
    for (String name : notes.getOrDefault(wanted, List.of())) {
      // Read it again: if the attempt still lives, as a speculative one may, its note has changed.
      if (read(name).equals(wanted)) {
        deaths++;
      }
    }
    return deaths >= DEATHS;
  }

  /** Whether rows are written down before they are worked on. */
  public boolean careful() {
    return mode == Mode.CAREFUL;
  }

  /** Work on a row. */
  public interface Work<T extends @Nullable Object, E extends Exception> {
    T run() throws IOException, E;
  }

  /** Does some work on a row. If the work kills the process, the note of the row stays. */
  public <T extends @Nullable Object, E extends Exception> T working(
      Provenance row, Work<T, E> work) throws IOException, E {
    if (mode != Mode.CAREFUL) {
      return work.run();
    }
    boolean dying = false;
    oneAtATime.lock();
    try {
      store.replace(note, StagingJson.write(row));
      return work.run();
    } catch (VirtualMachineError e) {
      // Out of memory: Spark ends the process.
      dying = true;
      throw e;
    } finally {
      try {
        if (!dying) {
          store.delete(note);
        }
      } finally {
        oneAtATime.unlock();
      }
    }
  }
}
