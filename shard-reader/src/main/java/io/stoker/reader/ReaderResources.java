package io.stoker.reader;

import io.stoker.cache.BlockCache;
import io.stoker.format.ShardFormatException;
import io.stoker.index.BlockTable;
import io.stoker.store.DatasetStore;
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
   *
   * @param lanes lanes the rank serves
   * @throws IllegalArgumentException if the quota of the cache is too small for them
   */
  static ReaderResources open(
      DatasetStore store,
      String location,
      ReaderOptions readerOptions,
      int lanes,
      FetchCounters counters)
      throws IOException {
    try {
      BlockTable table = DatasetIndex.open(store, location);
      ReaderOptions.Cache options = readerOptions.cache();
      return new ReaderResources(
          store,
          table,
          options == null || !store.isRemote() ? null : cache(options, table, lanes),
          counters);
    } catch (IOException | RuntimeException e) {
      store.close();
      throw e;
    }
  }

  private static BlockCache cache(ReaderOptions.Cache options, BlockTable table, int lanes)
      throws IOException {
    checkQuota(options, table, lanes);
    return BlockCache.open(
        options.directory(), options.maxBytes(), options.patience(), table.dataset().datasetId());
  }

  /** Each lane needs its block, and one more is on its way. */
  private static void checkQuota(ReaderOptions.Cache options, BlockTable table, int lanes)
      throws ShardFormatException {
    long largest = 0;
    for (int block = 0; block < table.blocks(); block++) {
      largest = Math.max(largest, table.entry(block).length());
    }
    long needed = (lanes + 1L) * largest;
    if (options.maxBytes() < needed) {
      throw new IllegalArgumentException(
          "cache.max-bytes: expected at least "
              + needed
              + " (a block of up to "
              + largest
              + " bytes for each of "
              + lanes
              + " lanes, and one more), found "
              + options.maxBytes());
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
