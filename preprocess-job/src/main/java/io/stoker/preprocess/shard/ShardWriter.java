package io.stoker.preprocess.shard;

import io.stoker.format.ArrowFileEncoder;
import io.stoker.format.ArrowFileEncoder.WrittenBatch;
import io.stoker.format.PixelLayout;
import io.stoker.format.ShardFormat;
import io.stoker.format.ShardSchema;
import io.stoker.index.BlockEntry;
import io.stoker.index.ShardEntry;
import java.io.IOException;
import java.io.OutputStream;

/**
 * Streams one shard: blocks go out as they come, nothing but the footer is held back. Equal blocks
 * give equal bytes. Not thread-safe.
 *
 * <p>Never closes the stream: closing completes an upload, so it is for the owner to decide whether
 * to close or to abort.
 */
public final class ShardWriter {
  private static final long FOOTER_BYTES = 1 << 16;
  private static final long FOOTER_BYTES_PER_BLOCK = 24;

  private final ArrowFileEncoder encoder;
  private final PixelLayout layout;
  private BlockStats totals = BlockStats.NONE;
  private int blocks;

  /** Starts a shard: writes its schema. */
  public ShardWriter(OutputStream out, String datasetId, PixelLayout layout) throws IOException {
    this.encoder = new ArrowFileEncoder(out, ShardSchema.of(datasetId, layout));
    this.layout = layout;
  }

  /** Whether the block, as it stands, still fits into this shard. */
  public boolean fits(BlockBuilder block) {
    long footer = FOOTER_BYTES + FOOTER_BYTES_PER_BLOCK * (blocks + 1);
    return encoder.position() + block.bytes() + footer <= ShardFormat.MAX_FILE_BYTES;
  }

  /**
   * Writes a block of complete packs; the builder can then be reset and reused.
   *
   * @throws IllegalArgumentException if it does not fit or has another pixel layout
   */
  public BlockEntry writeBlock(BlockBuilder block) throws IOException {
    if (!block.layout().equals(layout) || !fits(block)) {
      throw new IllegalArgumentException(
          "expected a block of "
              + layout
              + " that fits after "
              + encoder.position()
              + " bytes, found "
              + block.bytes()
              + " bytes of "
              + block.layout());
    }
    BlockStats stats = block.stats();
    WrittenBatch written = encoder.writeBatch(block.buffers());
    totals = totals.plus(stats);
    blocks++;
    return new BlockEntry(
        written.offset(),
        written.length(),
        block.packs(),
        Math.toIntExact(stats.samples()),
        stats.tokens(),
        stats.patches(),
        written.crc32c());
  }

  /** Bytes written so far. */
  public long position() {
    return encoder.position();
  }

  /** What the blocks written so far hold. */
  public BlockStats totals() {
    return totals;
  }

  /**
   * Writes the footer.
   *
   * @param name path of the shard relative to the dataset
   * @return the entry for {@code dataset.json}
   */
  public ShardEntry finish(String name) throws IOException {
    encoder.finish();
    return new ShardEntry(name, encoder.position(), encoder.crc32c(), blocks);
  }
}
