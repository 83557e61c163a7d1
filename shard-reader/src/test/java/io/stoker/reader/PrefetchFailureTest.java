package io.stoker.reader;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.stoker.fixture.TestDataset;
import io.stoker.format.PixelLayout;
import io.stoker.plan.PlanSettings;
import io.stoker.plan.RankSpec;
import io.stoker.store.DatasetStore;
import io.stoker.store.TestStores;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What goes wrong on a background thread reaches the trainer. */
class PrefetchFailureTest {
  private static final PlanSettings PLAN = new PlanSettings(3, 4, 1);
  private static final RankSpec RANK = new RankSpec(0, 1);
  private static final String SHARD = "shards/00/test.arrow";

  private final Path root;

  PrefetchFailureTest(@TempDir Path root) throws IOException {
    this.root = root;
    TestDataset.write(
        root, "d", PixelLayout.UINT8, new int[] {3, 2, 4}, new int[] {1, 5}, new int[] {2});
  }

  /** A store that fails at one shard, with what the test chooses. */
  private static final class FailingStore implements DatasetStore {
    private final DatasetStore store;
    private final Throwable failure;
    private final String shard;
    private volatile boolean closed;

    FailingStore(DatasetStore store, String shard, Throwable failure) {
      this.shard = shard;
      this.store = store;
      this.failure = failure;
    }

    @Override
    public byte[] read(String name, long limit) throws IOException {
      return store.read(name, limit);
    }

    @Override
    public ByteBuffer map(String name, long fileBytes, long offset, long length)
        throws IOException {
      if (!name.equals(shard)) {
        return store.map(name, fileBytes, offset, length);
      }
      if (failure instanceof IOException io) {
        throw io;
      }
      throw (Error) failure;
    }

    @Override
    public void close() {
      closed = true;
      store.close();
    }
  }

  @Test
  void failuresOfThePrefetchThreadSurface() throws IOException {
    String last = "shards/02/test.arrow";
    // Not the shard of the first pack.
    boolean startsThere;
    try (RankReader reader = RankReader.open(root, RANK, ReaderOptions.of(PLAN))) {
      startsThere = reader.next().sampleIds().get(0).matches("s1[56].*");
    }
    for (Throwable failure : List.of(new IOException("store is gone"), new StackOverflowError())) {
      FailingStore store =
          new FailingStore(TestStores.local(root), startsThere ? SHARD : last, failure);
      RankReader reader =
          RankReader.open(store, "test", RANK, ReaderOptions.of(PLAN), new FetchCounters());
      int delivered = 0;
      IOException surfaced;
      while (true) {
        try {
          reader.next().close();
          delivered++;
        } catch (IOException e) {
          surfaced = e;
          break;
        }
      }
      assertTrue(delivered > 0, "what was ready before comes first");
      assertTrue(surfaced == failure || surfaced.getCause() == failure);
      assertThrows(IOException.class, reader::next, "the reader stays failed");
      reader.close();
      assertTrue(store.closed);
    }
  }
}
