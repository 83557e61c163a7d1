package io.stoker.reader;

import io.stoker.format.ShardFormat;
import io.stoker.index.BlockTable;
import io.stoker.index.BlockTableFile;
import io.stoker.index.Dataset;
import io.stoker.index.DatasetParser;
import io.stoker.store.DatasetStore;
import io.stoker.store.DatasetStores;
import java.io.IOException;
import java.net.URI;
import java.nio.file.NoSuchFileException;
import java.util.Map;

/**
 * A dataset whose index has been read: {@code dataset.json} and the block table. Readers and tools
 * begin with it.
 *
 * @param store where it lies; this owns it
 * @param table its index
 * @param counters where work is counted
 */
record OpenDataset(DatasetStore store, BlockTable table, FetchCounters counters)
    implements AutoCloseable {
  // Verifying reads the whole table. In a larger table each row is checked when it is used.
  private static final long VERIFIED_TABLE_BYTES = 64L << 20;

  /**
   * Opens a dataset.
   *
   * @param location the dataset directory: {@code file:}, {@code s3:} or {@code s3a:}
   * @param options as {@link ReaderOptions#store()}
   */
  static OpenDataset open(URI location, Map<String, String> options) throws IOException {
    FetchCounters counters = new FetchCounters();
    DatasetStore store = DatasetStores.open(location, options, counters.transfers);
    return open(store, location.toString(), counters);
  }

  /** Opens a dataset in a store, which passes into the ownership of the result, or is closed. */
  static OpenDataset open(DatasetStore store, String location, FetchCounters counters)
      throws IOException {
    try {
      return new OpenDataset(store, index(store, location), counters);
    } catch (IOException | RuntimeException e) {
      store.close();
      throw e;
    }
  }

  /** Reads the index of a dataset. */
  static BlockTable index(DatasetStore store, String location) throws IOException {
    Dataset dataset = readDataset(store, location);
    BlockTableFile entry = dataset.blockTable();
    BlockTable table =
        BlockTable.open(dataset, store.map(entry.name(), entry.bytes(), 0, entry.bytes()));
    if (entry.bytes() <= VERIFIED_TABLE_BYTES) {
      table.verify();
    }
    return table;
  }

  private static Dataset readDataset(DatasetStore store, String location) throws IOException {
    try {
      byte[] json = store.read(ShardFormat.DATASET_FILE, DatasetParser.MAX_BYTES);
      return DatasetParser.fromJson(ShardFormat.DATASET_FILE, json);
    } catch (NoSuchFileException e) {
      throw new IOException(
          "no dataset at " + location + ": there is no " + ShardFormat.DATASET_FILE, e);
    }
  }

  Dataset dataset() {
    return table.dataset();
  }

  @Override
  public void close() {
    store.close();
  }
}
