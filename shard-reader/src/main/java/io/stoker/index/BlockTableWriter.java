package io.stoker.index;

import io.stoker.format.ArrowFileEncoder;
import io.stoker.format.LittleEndianBuffer;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Writes the block table. Holds all rows, 52 bytes each, until {@link #writeTo}: the columns of the
 * file are contiguous. Not thread-safe.
 */
public final class BlockTableWriter {
  private final String datasetId;
  private final LittleEndianBuffer[] columns = new LittleEndianBuffer[BlockTable.COLUMNS.size()];

  /** An empty table. */
  public BlockTableWriter(String datasetId) {
    this.datasetId = datasetId;
    Arrays.setAll(columns, i -> new LittleEndianBuffer());
  }

  /**
   * Appends one block. The order of the calls is the order of the table: by shard, then by offset.
   *
   * @param shard index into {@link Dataset#shards()}
   */
  public void add(int shard, BlockEntry block) {
    columns[BlockTable.SHARD].putInt(shard);
    columns[BlockTable.OFFSET].putLong(block.offset());
    columns[BlockTable.LENGTH].putLong(block.length());
    columns[BlockTable.PACKS].putInt(block.packs());
    columns[BlockTable.SAMPLES].putInt(block.samples());
    columns[BlockTable.TOKENS].putLong(block.tokens());
    columns[BlockTable.PATCHES].putLong(block.patches());
    columns[BlockTable.CRC32C].putLong(block.crc32c());
  }

  /**
   * Writes the file; the caller closes the stream.
   *
   * @param name path of the file relative to the dataset
   * @return the entry for {@code dataset.json}
   */
  public BlockTableFile writeTo(OutputStream out, String name) throws IOException {
    ArrowFileEncoder encoder = new ArrowFileEncoder(out, BlockTable.schema(datasetId));
    encoder.writeBatch(
        Arrays.stream(columns).map(LittleEndianBuffer::view).toArray(ByteBuffer[]::new));
    encoder.finish();
    return new BlockTableFile(name, encoder.position(), encoder.crc32c());
  }
}
