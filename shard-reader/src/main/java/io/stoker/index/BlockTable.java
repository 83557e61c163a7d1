package io.stoker.index;

import io.stoker.format.ArrowBatch;
import io.stoker.format.ArrowField;
import io.stoker.format.ArrowFileDecoder;
import io.stoker.format.ArrowFileDecoder.BatchRange;
import io.stoker.format.ArrowSchema;
import io.stoker.format.ElementType;
import io.stoker.format.ShardFormat;
import io.stoker.format.ShardFormatException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;

/**
 * The blocks of a dataset, read in place: no object and no heap per row, so that a mapped table of
 * millions of rows costs only the pages that are looked at. Immutable and thread-safe.
 *
 * <p>{@link #open} checks the frame, {@link #entry} a row, {@link #verify} everything.
 */
public final class BlockTable {
  static final int SHARD = 0;
  static final int OFFSET = 1;
  static final int LENGTH = 2;
  static final int PACKS = 3;
  static final int SAMPLES = 4;
  static final int TOKENS = 5;
  static final int PATCHES = 6;
  static final int CRC32C = 7;

  /** The columns; the constants above are their indices. */
  static final List<ArrowField> COLUMNS =
      List.of(
          ArrowField.primitive("shard", ElementType.INT32),
          ArrowField.primitive("offset", ElementType.INT64),
          ArrowField.primitive("length", ElementType.INT64),
          ArrowField.primitive("packs", ElementType.INT32),
          ArrowField.primitive("samples", ElementType.INT32),
          ArrowField.primitive("tokens", ElementType.INT64),
          ArrowField.primitive("patches", ElementType.INT64),
          ArrowField.primitive("crc32c", ElementType.INT64));

  private final String name;
  private final Dataset dataset;
  private final ByteBuffer file;
  private final ByteBuffer[] columns;
  private final int blocks;

  private BlockTable(
      String name, Dataset dataset, ByteBuffer file, ByteBuffer[] columns, int blocks) {
    this.name = name;
    this.dataset = dataset;
    this.file = file;
    this.columns = columns;
    this.blocks = blocks;
  }

  static ArrowSchema schema(String datasetId) {
    return ArrowSchema.of(COLUMNS, ShardFormat.BLOCK_TABLE_FORMAT, datasetId, Map.of());
  }

  /**
   * Opens a table without reading its rows.
   *
   * @param dataset the dataset it must belong to
   * @param file the whole file, position to limit, mapped or not; it must not change afterwards
   * @throws ShardFormatException if the frame is damaged, of another version or another dataset, or
   *     if the number of rows is not what the dataset says
   */
  public static BlockTable open(Dataset dataset, ByteBuffer file) throws ShardFormatException {
    String name = dataset.blockTable().name();
    ByteBuffer bytes = file.slice();
    if (bytes.limit() != dataset.blockTable().bytes()) {
      throw ShardFormatException.mismatch(
          name, "length", dataset.blockTable().bytes(), bytes.limit());
    }
    ByteBuffer head = bytes.slice(0, Math.min(bytes.limit(), ArrowFileDecoder.HEAD_BYTES));
    ArrowSchema schema = schema(dataset.datasetId());
    ArrowFileDecoder.schema(name, head).checkIs(name, schema);
    List<BatchRange> batches = ArrowFileDecoder.batches(name, bytes, bytes.limit());
    if (batches.size() != 1) {
      throw ShardFormatException.mismatch(name, "record batches", 1, batches.size());
    }
    BatchRange range = batches.get(0);
    ArrowBatch batch =
        ArrowBatch.parse(
            name, bytes.slice((int) range.offset(), (int) range.length()), schema.fields());
    if (batch.rows() != dataset.blocks()) {
      throw ShardFormatException.mismatch(name, "blocks", dataset.blocks(), batch.rows());
    }
    ByteBuffer[] columns = new ByteBuffer[COLUMNS.size()];
    Arrays.setAll(columns, batch::buffer);
    return new BlockTable(name, dataset, bytes, columns, (int) batch.rows());
  }

  /** The dataset this table belongs to. */
  public Dataset dataset() {
    return dataset;
  }

  /** Number of blocks. */
  public int blocks() {
    return blocks;
  }

  /** Index of a block's shard in {@link Dataset#shards()}, as stored. */
  public int shard(int block) {
    return intAt(SHARD, block);
  }

  /** Packs of a block, as stored. */
  public int packs(int block) {
    return intAt(PACKS, block);
  }

  /**
   * Packs of neighbouring blocks, as stored.
   *
   * @param packs filled up to {@code count}
   */
  public void packs(int first, int count, int[] packs) {
    columns[PACKS]
        .slice(first * Integer.BYTES, count * Integer.BYTES)
        .order(ByteOrder.LITTLE_ENDIAN)
        .asIntBuffer()
        .get(packs, 0, count);
  }

  /**
   * One row, checked.
   *
   * @throws ShardFormatException if the row is impossible or points outside its shard
   */
  public BlockEntry entry(int block) throws ShardFormatException {
    int shard = shard(block);
    if (shard < 0 || shard >= dataset.shards().size()) {
      throw ShardFormatException.mismatch(
          name, "shard of block " + block, "below " + dataset.shards().size(), shard);
    }
    try {
      BlockEntry entry =
          new BlockEntry(
              longAt(OFFSET, block),
              longAt(LENGTH, block),
              packs(block),
              intAt(SAMPLES, block),
              longAt(TOKENS, block),
              longAt(PATCHES, block),
              longAt(CRC32C, block));
      long bytes = dataset.shards().get(shard).bytes();
      if (entry.offset() + entry.length() > bytes) {
        throw ShardFormatException.mismatch(
            name, "end of block " + block, "at most " + bytes, entry.offset() + entry.length());
      }
      return entry;
    } catch (IllegalArgumentException e) {
      throw ShardFormatException.corrupt(name, "block " + block + ": " + e.getMessage(), e);
    }
  }

  /**
   * One block, looked up.
   *
   * @throws ShardFormatException as {@link #entry}
   */
  public BlockRef ref(int block) throws ShardFormatException {
    BlockEntry entry = entry(block);
    return new BlockRef(block, dataset.shards().get(shard(block)), entry);
  }

  /**
   * Reads the whole table: checksum, every row, and the sums against the dataset's counts.
   *
   * @throws ShardFormatException at the first thing that is wrong
   */
  public void verify() throws ShardFormatException {
    CRC32C crc = new CRC32C();
    crc.update(file.duplicate());
    if (crc.getValue() != dataset.blockTable().crc32c()) {
      throw ShardFormatException.mismatch(
          name,
          "crc32c",
          Long.toHexString(dataset.blockTable().crc32c()),
          Long.toHexString(crc.getValue()));
    }
    long packs = 0;
    long samples = 0;
    long tokens = 0;
    long patches = 0;
    int[] blocksOfShard = new int[dataset.shards().size()];
    for (int block = 0; block < blocks; block++) {
      BlockEntry entry = entry(block);
      blocksOfShard[shard(block)]++;
      packs += entry.packs();
      samples += entry.samples();
      tokens += entry.tokens();
      patches += entry.patches();
    }
    checkSum("packs", dataset.counts().packs(), packs);
    checkSum("samples", dataset.counts().samples(), samples);
    checkSum("tokens", dataset.counts().tokens(), tokens);
    checkSum("patches", dataset.counts().patches(), patches);
    for (int shard = 0; shard < blocksOfShard.length; shard++) {
      ShardEntry entry = dataset.shards().get(shard);
      checkSum("blocks of " + entry.name(), entry.blocks(), blocksOfShard[shard]);
    }
  }

  private void checkSum(String what, long expected, long found) throws ShardFormatException {
    if (expected != found) {
      throw ShardFormatException.mismatch(name, what, expected, found);
    }
  }

  private int intAt(int column, int block) {
    return columns[column].getInt(block * Integer.BYTES);
  }

  private long longAt(int column, int block) {
    return columns[column].getLong(block * Long.BYTES);
  }
}
