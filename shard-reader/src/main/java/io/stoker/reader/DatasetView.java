package io.stoker.reader;

import io.stoker.format.BlockLayout;
import io.stoker.format.ShardFormatException;
import io.stoker.index.BlockRef;
import io.stoker.index.BlockTable;
import io.stoker.index.Dataset;
import java.io.IOException;
import java.net.URI;
import java.util.Map;

/**
 * Opens a dataset for tools: they look at any block in any order. Not for training. Not
 * thread-safe.
 */
public final class DatasetView implements AutoCloseable {
  private final OpenDataset dataset;
  private final BlockSource source;

  private DatasetView(OpenDataset dataset) {
    this.dataset = dataset;
    this.source = new BlockSource(dataset, null);
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
    return new DatasetView(OpenDataset.open(dataset, options));
  }

  /** The dataset. */
  public Dataset dataset() {
    return dataset.dataset();
  }

  /** Its blocks. */
  public BlockTable blocks() {
    return dataset.table();
  }

  /**
   * One block. Its structure is checked, its checksum is not: of a local dataset only the pages
   * that are looked at are read.
   *
   * @throws ShardFormatException if the block is corrupt
   * @throws IOException if it cannot be reached
   */
  public BlockLayout block(int block) throws IOException {
    BlockRef ref = dataset.table().ref(block);
    return source.parse(ref, source.map(ref));
  }

  /** Releases the store; blocks that were taken stay valid. */
  @Override
  public void close() {
    dataset.close();
  }
}
