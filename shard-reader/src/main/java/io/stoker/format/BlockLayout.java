package io.stoker.format;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * One block of a shard, checked in full: its structure, and the rules that tie its columns
 * together. After {@link #parse} every accessor stays inside the block, whatever the bytes are. The
 * values of ids, labels, positions and pixels are not judged. Immutable and thread-safe.
 */
public final class BlockLayout {
  // For each column the buffer of its list offsets. The next buffer holds the values of the column,
  // or the offsets of its strings.
  private static final int[] LISTS = lists();

  private final ArrowBatch batch;
  private final PixelLayout pixels;

  private BlockLayout(ArrowBatch batch, PixelLayout pixels) {
    this.batch = batch;
    this.pixels = pixels;
  }

  /**
   * Checks one block.
   *
   * @param shard name of the shard, for messages
   * @param offset offset of the block in the shard, for messages
   * @param block the bytes of the block, position to limit; they must not change afterwards
   * @param pixels how the dataset stores patches
   * @throws ShardFormatException of kind corrupt, whatever the bytes are
   */
  public static BlockLayout parse(String shard, long offset, ByteBuffer block, PixelLayout pixels)
      throws ShardFormatException {
    String name = ShardFormatException.blockName(shard, offset);
    ArrowBatch batch = ArrowBatch.parse(name, block, ShardSchema.columns(pixels));
    if (batch.rows() == 0) {
      throw ShardFormatException.mismatch(name, "packs", "at least 1", 0);
    }
    BlockLayout layout = new BlockLayout(batch, pixels);
    for (int pack = 0; pack < layout.packs(); pack++) {
      layout.checkPack(pack);
    }
    return layout;
  }

  private void checkPack(int pack) throws ShardFormatException {
    long tokens = tokens(pack);
    check(pack, "labels", tokens, count(list(ShardColumn.LABELS), pack));
    check(pack, "positions", 3 * tokens, count(list(ShardColumn.POSITION_IDS), pack));
    int segments = segments(pack);
    check(pack, "cu_seqlens", segments + 1L, count(list(ShardColumn.CU_SEQLENS), pack));
    int first = first(list(ShardColumn.CU_SEQLENS), pack);
    int boundary = batch.intAt(list(ShardColumn.CU_SEQLENS) + 1, first);
    check(pack, "cu_seqlens[0]", 0, boundary);
    for (int i = 1; i <= segments; i++) {
      int next = batch.intAt(list(ShardColumn.CU_SEQLENS) + 1, first + i);
      if (next <= boundary) {
        throw ShardFormatException.mismatch(
            batch.name(),
            "pack " + pack + ", cu_seqlens[" + i + "]",
            "more than " + boundary,
            next);
      }
      boundary = next;
    }
    check(pack, "last cu_seqlens", tokens, boundary);
    checkGrids(pack);
  }

  private void checkGrids(int pack) throws ShardFormatException {
    long patches = patches(pack);
    long sum = 0;
    int grids = list(ShardColumn.IMAGE_GRID_THW);
    int first = first(grids, pack);
    for (int i = first; i < first + images(pack); i++) {
      long t = batch.longAt(grids + 1, 3 * i);
      long h = batch.longAt(grids + 1, 3 * i + 1);
      long w = batch.longAt(grids + 1, 3 * i + 2);
      // Each factor is at most the number of patches, so that two of them multiply without
      // overflow.
      boolean sane = in(t, patches) && in(h, patches) && in(w, patches) && in(h * w, patches);
      if (!sane || t * h * w > patches - sum) {
        throw ShardFormatException.mismatch(
            batch.name(),
            "pack " + pack + ", grid " + (i - first),
            "at most " + (patches - sum) + " patches",
            t + "x" + h + "x" + w);
      }
      sum += t * h * w;
    }
    check(pack, "patches", sum, patches);
  }

  private static boolean in(long value, long limit) {
    return value >= 1 && value <= limit;
  }

  private void check(int pack, String what, long expected, long found) throws ShardFormatException {
    if (expected != found) {
      throw ShardFormatException.mismatch(
          batch.name(), "pack " + pack + ", " + what, expected, found);
    }
  }

  /** Packs of the block, at least 1. */
  public int packs() {
    return (int) batch.rows();
  }

  /** Segments of all packs. */
  public int samples() {
    return batch.intAt(list(ShardColumn.SAMPLE_IDS), packs());
  }

  /** Tokens of all packs. */
  public long tokens() {
    return batch.intAt(list(ShardColumn.INPUT_IDS), packs());
  }

  /** Patches of all packs. */
  public long patches() {
    return batch.intAt(list(ShardColumn.PIXEL_VALUES), packs());
  }

  /** How patches are stored. */
  public PixelLayout pixels() {
    return pixels;
  }

  /** Segments of one pack. */
  public int segments(int pack) {
    return count(list(ShardColumn.SAMPLE_IDS), pack);
  }

  /** Tokens of one pack: L. */
  public int tokens(int pack) {
    return count(list(ShardColumn.INPUT_IDS), pack);
  }

  /** Patches of one pack: P. */
  public int patches(int pack) {
    return count(list(ShardColumn.PIXEL_VALUES), pack);
  }

  /** Images of one pack: n. */
  public int images(int pack) {
    return count(list(ShardColumn.IMAGE_GRID_THW), pack);
  }

  /** Tokens of one segment of a pack. */
  public int segmentTokens(int pack, int segment) {
    return boundary(pack, segment + 1) - boundary(pack, segment);
  }

  /** Tokens of one segment of a pack whose label is trained. */
  public int supervisedTokens(int pack, int segment) {
    int labels = list(ShardColumn.LABELS);
    int first = first(labels, pack);
    int supervised = 0;
    for (int i = boundary(pack, segment); i < boundary(pack, segment + 1); i++) {
      supervised += batch.longAt(labels + 1, first + i) == ShardFormat.IGNORED_LABEL ? 0 : 1;
    }
    return supervised;
  }

  /** Patches of one image of a pack. */
  public int imagePatches(int pack, int image) {
    int grids = list(ShardColumn.IMAGE_GRID_THW);
    int at = 3 * (first(grids, pack) + Objects.checkIndex(image, images(pack)));
    // The check has made sure that this is at most the number of patches of the pack.
    return (int)
        (batch.longAt(grids + 1, at)
            * batch.longAt(grids + 1, at + 1)
            * batch.longAt(grids + 1, at + 2));
  }

  /** An element of a pack's cu_seqlens. */
  private int boundary(int pack, int index) {
    int list = list(ShardColumn.CU_SEQLENS);
    return batch.intAt(list + 1, first(list, pack) + Objects.checkIndex(index, count(list, pack)));
  }

  /**
   * The values of one pack, read-only and little-endian: a slice, no copy.
   *
   * @param column any but {@link ShardColumn#SAMPLE_IDS}
   */
  public ByteBuffer data(ShardColumn column, int pack) {
    return data(column, pack, 1);
  }

  /**
   * The values of neighbouring packs, one pack after the other: a slice, no copy.
   *
   * @param column any but {@link ShardColumn#SAMPLE_IDS}
   * @param pack the first pack
   * @param packs number of packs, at least 1
   */
  public ByteBuffer data(ShardColumn column, int pack, int packs) {
    int list = list(column);
    int bytes = column.entryBytes(pixels);
    int first = first(list, pack);
    int last = pack + packs - 1;
    int end = first(list, last) + count(list, last);
    return batch.slice(list + 1, first * bytes, (end - first) * bytes);
  }

  /** The sample ids of one pack; bytes that are not UTF-8 become U+FFFD. */
  public List<String> sampleIds(int pack) {
    List<String> ids = new ArrayList<>();
    int list = list(ShardColumn.SAMPLE_IDS);
    int first = first(list, pack);
    for (int i = first; i < first + segments(pack); i++) {
      int from = batch.intAt(list + 1, i);
      byte[] bytes = new byte[batch.intAt(list + 1, i + 1) - from];
      batch.slice(list + 2, from, bytes.length).get(bytes);
      ids.add(new String(bytes, StandardCharsets.UTF_8));
    }
    return ids;
  }

  /** The buffer of list offsets of a column. */
  private static int list(ShardColumn column) {
    return LISTS[column.ordinal()];
  }

  // No pixel layout changes the number of buffers.
  private static int[] lists() {
    List<ArrowField> fields = ShardSchema.columns(PixelLayout.UINT8);
    int[] lists = new int[fields.size()];
    for (int i = 1; i < lists.length; i++) {
      lists[i] = lists[i - 1] + fields.get(i - 1).buffers();
    }
    return lists;
  }

  private int first(int list, int pack) {
    if (pack < 0 || pack >= packs()) {
      throw new IndexOutOfBoundsException("pack " + pack + " of " + packs());
    }
    return batch.intAt(list, pack);
  }

  private int count(int list, int pack) {
    return batch.intAt(list, pack + 1) - first(list, pack);
  }
}
