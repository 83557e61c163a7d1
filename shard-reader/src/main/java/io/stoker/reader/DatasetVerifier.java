package io.stoker.reader;

import io.stoker.format.ArrowFileDecoder;
import io.stoker.format.ArrowFileDecoder.BatchRange;
import io.stoker.format.BlockLayout;
import io.stoker.format.ShardFormat;
import io.stoker.format.ShardFormatException;
import io.stoker.index.BlockEntry;
import io.stoker.index.BlockRef;
import io.stoker.index.BlockTable;
import io.stoker.index.Dataset;
import io.stoker.index.ShardEntry;
import io.stoker.store.DatasetStore;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;

/**
 * Checks every byte and every rule of a dataset: the index, the schema, footer and checksum of each
 * shard, the checksum, structure and counts of each block, and that each sample has at least one
 * label to train. Reads each shard once, block by block.
 */
public final class DatasetVerifier {
  private final DatasetStore store;
  private final BlockTable table;
  private final BlockSource source;

  private final Progress progress;
  private final long totalBytes;
  private long bytesDone;
  private long supervisedTokens;

  /** Hears after each block how far the verification has come. */
  @FunctionalInterface
  public interface Progress {
    /**
     * Another block is sound.
     *
     * @param shard the shard it is in
     * @param bytes bytes of blocks that are sound
     * @param totalBytes bytes of all blocks
     */
    void verified(ShardEntry shard, long bytes, long totalBytes);
  }

  private DatasetVerifier(OpenDataset dataset, Progress progress) throws ShardFormatException {
    this.store = dataset.store();
    this.table = dataset.table();
    this.progress = progress;
    long bytes = 0;
    for (int block = 0; block < table.blocks(); block++) {
      bytes += table.entry(block).length();
    }
    this.totalBytes = bytes;
    this.source = new BlockSource(dataset, null);
  }

  /** Verifies a dataset on a local path. */
  public static Dataset verify(Path dataset) throws IOException {
    return verify(dataset.toAbsolutePath().toUri(), Map.of(), (shard, bytes, totalBytes) -> {});
  }

  /**
   * Verifies a dataset.
   *
   * @param dataset the dataset directory: {@code file:}, {@code s3:} or {@code s3a:}
   * @param options as {@link ReaderOptions#store()}
   * @param progress called on this thread
   * @return the dataset, which is sound
   * @throws ShardFormatException at the first thing that is wrong
   * @throws IOException if there is no dataset or it cannot be reached
   */
  public static Dataset verify(URI dataset, Map<String, String> options, Progress progress)
      throws IOException {
    try (OpenDataset open = OpenDataset.open(dataset, options)) {
      open.table().verify();
      new DatasetVerifier(open, progress).verifyShards();
      return open.dataset();
    }
  }

  private void verifyShards() throws IOException {
    int block = 0;
    int index = 0;
    for (ShardEntry shard : table.dataset().shards()) {
      source.checkHead(shard);
      verifyShard(shard, index++, block);
      block += shard.blocks();
    }
    long expected = table.dataset().counts().supervisedTokens();
    if (supervisedTokens != expected) {
      throw ShardFormatException.mismatch(
          ShardFormat.DATASET_FILE, "supervised tokens", expected, supervisedTokens);
    }
  }

  private void verifyShard(ShardEntry shard, int index, int first) throws IOException {
    CRC32C crc = new CRC32C();
    List<BatchRange> ranges = new ArrayList<>();
    long position = 0;
    for (int block = first; block < first + shard.blocks(); block++) {
      BlockRef ref = table.ref(block);
      BlockEntry entry = ref.entry();
      if (table.shard(block) != index || entry.offset() < position) {
        throw ShardFormatException.corrupt(
            table.dataset().blockTable().name(),
            "block " + block + " is not in the order of shards and offsets");
      }
      update(crc, shard, position, entry.offset());
      ByteBuffer bytes = source.map(ref);
      checkLabels(ref, source.explained(ref, bytes));
      crc.update(bytes.duplicate());
      position = entry.offset() + entry.length();
      ranges.add(new BatchRange(entry.offset(), entry.length()));
      bytesDone += entry.length();
      progress.verified(shard, bytesDone, totalBytes);
    }
    ByteBuffer tail = update(crc, shard, position, shard.bytes());
    if (crc.getValue() != shard.crc32c()) {
      throw ShardFormatException.mismatch(
          shard.name(),
          "crc32c",
          Long.toHexString(shard.crc32c()),
          Long.toHexString(crc.getValue()));
    }
    if (!ranges.equals(ArrowFileDecoder.batches(shard.name(), tail, shard.bytes()))) {
      throw ShardFormatException.corrupt(
          shard.name(), "the footer lists other blocks than the block table");
    }
  }

  private void checkLabels(BlockRef ref, BlockLayout layout) throws ShardFormatException {
    for (int pack = 0; pack < layout.packs(); pack++) {
      for (int sample = 0; sample < layout.segments(pack); sample++) {
        int supervised = layout.supervisedTokens(pack, sample);
        if (supervised == 0) {
          throw ShardFormatException.mismatch(
              ref.name(),
              "pack " + pack + ", sample " + sample + ", supervised tokens",
              "at least 1",
              0);
        }
        supervisedTokens += supervised;
      }
    }
  }

  /** Adds what lies between two blocks, or around them, to the checksum. */
  private ByteBuffer update(CRC32C crc, ShardEntry shard, long from, long to) throws IOException {
    if (from == to) {
      return ByteBuffer.allocate(0);
    }
    ByteBuffer bytes = store.map(shard.name(), shard.bytes(), from, to - from);
    crc.update(bytes.duplicate());
    return bytes;
  }
}
