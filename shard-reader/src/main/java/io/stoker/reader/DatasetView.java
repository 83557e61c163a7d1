package io.stoker.reader;

import io.stoker.format.BlockLayout;
import io.stoker.format.ShardFormatException;
import io.stoker.index.BlockEntry;
import io.stoker.index.BlockTable;
import io.stoker.index.Dataset;
import io.stoker.index.ShardEntry;
import io.stoker.store.DatasetStore;
import io.stoker.store.DatasetStores;
import java.io.IOException;
import java.net.URI;
import java.util.Map;

/**
 * A dataset opened to be looked at, any block in any order: for tools, not for training. Not
 * thread-safe.
 */
public final class DatasetView implements AutoCloseable {
  private final DatasetStore store;
  private final BlockTable table;
  private final BlockSource source;

  private DatasetView(DatasetStore store, BlockTable table, FetchCounters counters) {
    this.store = store;
    this.table = table;
    this.source = new BlockSource(store, table, null, counters);
  }

  /**
   * Opens the index of a dataset.
   *
   * @param dataset the dataset directory: {@code file:}, {@code s3:} or {@code s3a:}
   * @param options as {@link ReaderOptions#store()}
   * @throws ShardFormatException if the index is corrupt, too old or too new
   * @throws IOException if there is no dataset or it cannot be reached
   */
  public static DatasetView open(URI dataset, Map<String, String> options) throws IOException {
    FetchCounters counters = new FetchCounters();
    DatasetStore store = DatasetStores.open(dataset, options, counters.transfers);
    try {
      return new DatasetView(store, DatasetIndex.open(store, dataset.toString()), counters);
    } catch (IOException | RuntimeException e) {
      store.close();
      throw e;
    }
  }

  /** The dataset. */
  public Dataset dataset() {
    return table.dataset();
  }

  /** Its blocks. */
  public BlockTable blocks() {
    return table;
  }

  /**
   * One block. Its structure is checked, its checksum is not: of a local dataset only the pages
   * that are looked at are read.
   *
   * @throws ShardFormatException if the block is corrupt
   * @throws IOException if it cannot be reached
   */
  public BlockLayout block(int block) throws IOException {
    BlockEntry entry = table.entry(block);
    ShardEntry shard = dataset().shards().get(table.shard(block));
    return BlockLayout.parse(shard.name(), entry.offset(), source.map(block), dataset().pixels());
  }

  /** Releases the store; blocks that were taken stay valid. */
  @Override
  public void close() {
    store.close();
  }
}
