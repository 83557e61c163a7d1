package io.stoker.reader;

import io.stoker.format.ShardFormat;
import io.stoker.index.BlockTable;
import io.stoker.index.BlockTableEntry;
import io.stoker.index.Dataset;
import io.stoker.index.DatasetParser;
import io.stoker.store.DatasetStore;
import java.io.IOException;
import java.nio.file.NoSuchFileException;

/** Opens the index of a dataset: {@code dataset.json} and the block table. */
final class DatasetIndex {
  // Verifying reads the whole table; beyond this size each row is checked when it is used instead.
  private static final long VERIFIED_TABLE_BYTES = 64L << 20;

  private DatasetIndex() {}

  static BlockTable open(DatasetStore store, String location) throws IOException {
    Dataset dataset = readDataset(store, location);
    BlockTableEntry entry = dataset.blockTable();
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
}
