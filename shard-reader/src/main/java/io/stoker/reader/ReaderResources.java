package io.stoker.reader;

import io.stoker.cache.BlockCache;
import io.stoker.format.ShardFormatException;
import io.stoker.index.BlockTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/**
 * What a reader holds open, and closes in the end.
 *
 * @param dataset the dataset
 * @param cache where blocks are kept, or null
 */
record ReaderResources(OpenDataset dataset, @Nullable BlockCache cache) implements AutoCloseable {
  /**
   * Opens the cache of a dataset, which passes into the ownership of the result, or is closed.
   *
   * @param lanes lanes the rank serves
   * @throws IllegalArgumentException if the quota of the cache is too small for them
   */
  static ReaderResources open(OpenDataset dataset, ReaderOptions readerOptions, int lanes)
      throws IOException {
    try {
      ReaderOptions.Cache options = readerOptions.cache();
      BlockCache cache =
          options == null || !dataset.store().isRemote()
              ? null
              : cache(options, dataset.table(), lanes);
      return new ReaderResources(dataset, cache);
    } catch (IOException | RuntimeException e) {
      dataset.close();
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
    return new BlockSource(dataset, cache);
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
      dataset.close();
    }
  }
}
