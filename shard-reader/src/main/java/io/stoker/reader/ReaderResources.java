package io.stoker.reader;

import io.stoker.index.BlockTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/**
 * What a reader holds open; whoever has this owns all of it.
 *
 * @param store the dataset
 * @param table its index
 * @param cache where blocks are kept, or null
 * @param counters where work is counted
 */
record ReaderResources(
    DatasetStore store, BlockTable table, @Nullable BlockCache cache, FetchCounters counters)
    implements AutoCloseable {
  /**
   * Opens the index and the cache of a dataset in a store, which passes into the ownership of the
   * result, or is closed.
   */
  static ReaderResources open(
      DatasetStore store, String location, ReaderOptions options, int lanes, FetchCounters counters)
      throws IOException {
    try {
      BlockTable table = DatasetIndex.open(store, location);
      ReaderOptions.Cache cache = options.cache();
      return new ReaderResources(
          store,
          table,
          cache == null || !store.isRemote() ? null : BlockCache.open(cache, table, lanes),
          counters);
    } catch (IOException | RuntimeException e) {
      store.close();
      throw e;
    }
  }

  BlockSource source() {
    return new BlockSource(store, table, cache, counters);
  }

  @Override
  public void close() {
    try {
      if (cache != null) {
        cache.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      store.close();
    }
  }
}
