package io.stoker.preprocess.shard;

import io.stoker.format.LittleEndianBuffer;
import io.stoker.format.PixelLayout;
import io.stoker.format.ShardColumn;
import io.stoker.format.ShardFormat;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * Collects the packs of one block. The pixel area is one byte array: the resize kernel writes into
 * it and the stream reads from it, without a copy. Reuse the builder, so that its arrays grow only
 * once. Not thread-safe.
 *
 * <p>For each segment: {@link #reservePatches} per image, then {@link #addSegment}, or {@link
 * #rollback} if an image turns out to be unusable. After the segments of a pack: {@link #endPack}.
 */
public final class BlockBuilder {
  /** Bytes of patches that one block may hold. */
  public static final int MAX_PIXEL_BYTES = 1 << 30;

  // The message's metadata and the padding of its buffers, generously.
  private static final long OVERHEAD = 4096;

  private final PixelLayout layout;
  private final List<ListColumn> columns;
  private final ListColumn samples;
  private final ListColumn boundaries;
  private final ListColumn inputIds;
  private final ListColumn labels;
  private final ListColumn positions;
  private final ListColumn pixels;
  private final ListColumn grids;
  private final List<long[]> packPositions = new ArrayList<>();
  private int segmentPixelsFrom;
  private int packTokens;
  private int packs;
  private long supervised;

  /** One column: the values, and where the list of each pack ends. */
  private static final class ListColumn {
    final LittleEndianBuffer offsets = new LittleEndianBuffer();
    final LittleEndianBuffer values = new LittleEndianBuffer();
    // The bytes of the strings, if this is a column of strings; its values are their offsets.
    final LittleEndianBuffer bytes = new LittleEndianBuffer();
    private final boolean strings;
    private final int entryBytes;

    ListColumn(ShardColumn column, PixelLayout layout) {
      this.strings = column == ShardColumn.SAMPLE_IDS;
      this.entryBytes = strings ? Integer.BYTES : column.entryBytes(layout);
    }

    void reset() {
      offsets.truncate(0);
      offsets.putInt(0);
      values.truncate(0);
      bytes.truncate(0);
      if (strings) {
        values.putInt(0);
      }
    }

    /** Ends the list of one pack. */
    void endList() {
      offsets.putInt(entries());
    }

    /** Entries written so far; a column of strings has one offset more. */
    int entries() {
      return values.size() / entryBytes - (strings ? 1 : 0);
    }

    long size() {
      return (long) offsets.size() + values.size() + bytes.size();
    }

    Stream<ByteBuffer> buffers() {
      Stream<ByteBuffer> numbers = Stream.of(offsets.view(), values.view());
      return strings ? Stream.concat(numbers, Stream.of(bytes.view())) : numbers;
    }
  }

  /** An empty block. */
  public BlockBuilder(PixelLayout layout) {
    this.layout = layout;
    this.columns =
        Arrays.stream(ShardColumn.values()).map(column -> new ListColumn(column, layout)).toList();
    this.samples = column(ShardColumn.SAMPLE_IDS);
    this.boundaries = column(ShardColumn.CU_SEQLENS);
    this.inputIds = column(ShardColumn.INPUT_IDS);
    this.labels = column(ShardColumn.LABELS);
    this.positions = column(ShardColumn.POSITION_IDS);
    this.pixels = column(ShardColumn.PIXEL_VALUES);
    this.grids = column(ShardColumn.IMAGE_GRID_THW);
    columns.forEach(ListColumn::reset);
  }

  private ListColumn column(ShardColumn column) {
    return columns.get(column.ordinal());
  }

  /** Empties the block; its memory is kept. */
  public void reset() {
    columns.forEach(ListColumn::reset);
    packPositions.clear();
    segmentPixelsFrom = 0;
    packTokens = 0;
    packs = 0;
    supervised = 0;
  }

  /** How patches are stored. */
  public PixelLayout layout() {
    return layout;
  }

  /** Whether so many patches more stay within {@link #MAX_PIXEL_BYTES}. */
  public boolean hasRoom(long patches) {
    return patches <= (MAX_PIXEL_BYTES - pixels.values.size()) / layout.bytesPerPatch();
  }

  /**
   * Makes room for the patches of the next image of the current segment. All {@code patches *
   * layout.bytesPerPatch()} bytes must then be written: what is there is arbitrary.
   *
   * @return index in {@link #pixels()} of the first byte
   * @throws IllegalStateException if the block would pass {@link #MAX_PIXEL_BYTES}
   */
  public int reservePatches(int patches) {
    if (patches < 1 || !hasRoom(patches)) {
      throw new IllegalStateException(
          "cannot add " + patches + " patches to " + pixels.values.size() + " bytes of patches");
    }
    return pixels.values.reserve(patches * layout.bytesPerPatch());
  }

  /** The pixel area. Valid until the next call of {@link #reservePatches}. */
  public byte[] pixels() {
    return pixels.values.array();
  }

  /** Drops what was reserved since the last segment. */
  public void rollback() {
    pixels.values.truncate(segmentPixelsFrom);
  }

  /**
   * Ends a segment: one finished sample.
   *
   * @param sampleId provenance of the sample
   * @param ids L token ids, L at least 1
   * @param segmentLabels L labels, at least one of them trained
   * @param positionIds 3·L positions, row-major {@code [3][L]}; the array is kept until the pack
   *     ends
   * @param segmentGrids t, h, w of each image, one after the other; their products sum up to the
   *     patches reserved since the last segment
   * @throws IllegalArgumentException if an invariant is broken; the block is unchanged
   */
  public void addSegment(
      String sampleId, long[] ids, long[] segmentLabels, long[] positionIds, int[] segmentGrids) {
    int trained = trained(segmentLabels);
    byte[] id = utf8(sampleId);
    check(ids.length > 0, sampleId, "no tokens");
    check(segmentLabels.length == ids.length, sampleId, "labels and ids differ in length");
    check(positionIds.length == 3L * ids.length, sampleId, "positions are not 3 per id");
    check(trained > 0, sampleId, "no supervised token");
    int reserved = (pixels.values.size() - segmentPixelsFrom) / layout.bytesPerPatch();
    long patches = patches(segmentGrids);
    check(
        patches == reserved,
        sampleId,
        "grids have " + patches + " patches, but " + reserved + " were reserved");
    if (packTokens == 0) {
      boundaries.values.putInt(0);
    }
    packTokens = Math.addExact(packTokens, ids.length);
    boundaries.values.putInt(packTokens);
    samples.bytes.putBytes(id);
    samples.values.putInt(samples.bytes.size());
    inputIds.values.putLongs(ids, 0, ids.length);
    labels.values.putLongs(segmentLabels, 0, ids.length);
    packPositions.add(positionIds);
    for (int extent : segmentGrids) {
      grids.values.putLong(extent);
    }
    segmentPixelsFrom = pixels.values.size();
    supervised += trained;
  }

  private static int trained(long[] labels) {
    int count = 0;
    for (long label : labels) {
      count += label == ShardFormat.IGNORED_LABEL ? 0 : 1;
    }
    return count;
  }

  private static long patches(int[] grids) {
    if (grids.length % 3 != 0) {
      throw new IllegalArgumentException("grids are not rows of t, h, w");
    }
    long sum = 0;
    for (int i = 0; i < grids.length; i += 3) {
      if (grids[i] < 1 || grids[i + 1] < 1 || grids[i + 2] < 1) {
        throw new IllegalArgumentException("a grid has an extent below 1");
      }
      long area = Math.multiplyExact((long) grids[i + 1], grids[i + 2]);
      sum = Math.addExact(sum, Math.multiplyExact(area, (long) grids[i]));
    }
    return sum;
  }

  private static byte[] utf8(String sampleId) {
    try {
      ByteBuffer bytes = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(sampleId));
      byte[] copy = new byte[bytes.remaining()];
      bytes.get(copy);
      return copy;
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException("a sample id has no UTF-8 form", e);
    }
  }

  private static void check(boolean condition, String sampleId, String problem) {
    if (!condition) {
      throw new IllegalArgumentException("sample " + sampleId + ": " + problem);
    }
  }

  /** Ends a pack of at least one segment. */
  public void endPack() {
    if (packTokens == 0) {
      throw new IllegalStateException("a pack has at least one segment");
    }
    rollback();
    for (int axis = 0; axis < 3; axis++) {
      for (long[] segment : packPositions) {
        int length = segment.length / 3;
        positions.values.putLongs(segment, axis * length, length);
      }
    }
    packPositions.clear();
    packTokens = 0;
    packs++;
    columns.forEach(ListColumn::endList);
  }

  /** An upper bound of the bytes of the block as it stands. */
  public long bytes() {
    long sum = OVERHEAD;
    for (ListColumn column : columns) {
      sum += column.size();
    }
    for (long[] segment : packPositions) {
      sum += (long) segment.length * Long.BYTES;
    }
    return sum;
  }

  /** Packs ended so far. */
  public int packs() {
    return packs;
  }

  /** What the ended packs hold. */
  public BlockStats stats() {
    return new BlockStats(
        packs, samples.entries(), inputIds.entries(), supervised, pixels.entries());
  }

  /** All buffers of the block, depth first. */
  ByteBuffer[] buffers() {
    if (packs == 0 || packTokens > 0) {
      throw new IllegalStateException("a block consists of complete packs, at least one");
    }
    return columns.stream().flatMap(ListColumn::buffers).toArray(ByteBuffer[]::new);
  }
}
