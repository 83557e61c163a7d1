package io.stoker.reader;

import io.stoker.format.BlockLayout;
import io.stoker.format.ElementType;
import io.stoker.format.PixelLayout;
import io.stoker.format.ShardColumn;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/**
 * How large the tensors of a pack, or of several packs taken as one, are.
 *
 * @param tokens L
 * @param samples segments
 * @param images n
 * @param patches P
 */
record PackExtent(long tokens, long samples, long images, long patches) {
  static final PackExtent EMPTY = new PackExtent(0, 0, 0, 0);

  /** The columns that are tensors, in the order of the format. */
  static final List<ShardColumn> TENSORS =
      Arrays.stream(ShardColumn.values())
          .filter(column -> column != ShardColumn.SAMPLE_IDS)
          .toList();

  static PackExtent of(BlockLayout block, int pack) {
    return new PackExtent(
        block.tokens(pack), block.segments(pack), block.images(pack), block.patches(pack));
  }

  PackExtent plus(PackExtent other) {
    return new PackExtent(
        tokens + other.tokens,
        samples + other.samples,
        images + other.images,
        patches + other.patches);
  }

  /** The column with a name. */
  static ShardColumn column(String name) {
    for (ShardColumn column : TENSORS) {
      if (column.columnName().equals(name)) {
        return column;
      }
    }
    throw new IllegalArgumentException(
        "tensor: expected one of "
            + TENSORS.stream().map(ShardColumn::columnName).toList()
            + ", found "
            + name);
  }

  /** The element type of a column. */
  static ElementType type(ShardColumn column, PixelLayout pixels) {
    return switch (column) {
      case CU_SEQLENS -> ElementType.INT32;
      case INPUT_IDS, LABELS, POSITION_IDS, IMAGE_GRID_THW -> ElementType.INT64;
      case PIXEL_VALUES -> pixels.type();
      case SAMPLE_IDS -> throw new IllegalArgumentException("sample ids are no tensor");
    };
  }

  /** The tensor of a column over its data. */
  Tensor tensor(BatchLife life, ShardColumn column, ByteBuffer data, PixelLayout pixels) {
    String name = column.columnName();
    ElementType type = type(column, pixels);
    return switch (column) {
      case CU_SEQLENS -> new Tensor(life, name, type, data, samples + 1);
      case INPUT_IDS, LABELS -> new Tensor(life, name, type, data, 1, tokens);
      case POSITION_IDS -> new Tensor(life, name, type, data, 3, 1, tokens);
      case PIXEL_VALUES -> new Tensor(life, name, type, data, patches, pixels.valuesPerPatch());
      case IMAGE_GRID_THW -> new Tensor(life, name, type, data, images, 3);
      case SAMPLE_IDS -> throw new IllegalArgumentException("sample ids are no tensor");
    };
  }

  /** Bytes of all tensors. */
  long bytes(PixelLayout pixels) {
    return (tokens * 5 + 3 * images) * Long.BYTES
        + (samples + 1) * Integer.BYTES
        + patches * pixels.bytesPerPatch();
  }
}
