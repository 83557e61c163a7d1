package io.stoker.reader;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.stoker.fixture.TestDataset;
import io.stoker.format.PixelLayout;
import io.stoker.plan.PlanSettings;
import io.stoker.plan.RankSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A wait that the caller breaks into pieces. */
@Timeout(120)
class PatienceTest {
  private static final long PATIENCE = TimeUnit.MILLISECONDS.toNanos(20);

  @Test
  void piecesOfAWaitAreOneWait(@TempDir Path root) throws Exception {
    TestDataset.write(root, "d", PixelLayout.UINT8, new int[] {1}, new int[] {1});
    RemoteStore store = new RemoteStore(root);
    CountDownLatch answer = new CountDownLatch(1);
    store.hook =
        (name, offset) -> {
          try {
            answer.await();
          } catch (InterruptedException e) {
            throw new IOException(e);
          }
        };
    ReaderOptions options =
        ReaderOptions.of(new PlanSettings(1, 1, 1)).withPrefetch(ReaderOptions.Prefetch.OFF);
    try (RankReader reader =
        RankReader.open(store, "test", new RankSpec(0, 1), options, new FetchCounters())) {
      BatchView view = new BatchView(reader);
      for (int piece = 0; piece < 5; piece++) {
        assertNull(reader.poll(PATIENCE));
      }
      assertEquals(-1, view.poll());
      assertTrue(view.hasNext());
      assertEquals(0, reader.stats().batches());
      answer.countDown();
      Batch batch = reader.poll(Long.MAX_VALUE);
      assertNotNull(batch);
      batch.close();
      ReaderStats stats = reader.stats();
      assertEquals(1, stats.waits());
      assertTrue(stats.firstNanos() >= 5 * PATIENCE, stats.toString());
      reader.next().close();
      assertEquals(-1, view.poll(), "the end");
      assertEquals(2, reader.stats().batches());
    }
  }
}
