package io.stoker.format;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The columns of a shard, in their order. The schema, the places of buffers in a block, the lengths
 * in bytes and the tensors follow from what stands here: a new column is one more line.
 */
public enum ShardColumn {
  /** Provenance, one string per segment. */
  SAMPLE_IDS("sample_ids", Entry.STRING, Shape.SEQUENCE),
  /** Segment boundaries with a leading 0. */
  CU_SEQLENS("cu_seqlens", Entry.INT32, Shape.SEQUENCE),
  /** Token ids. */
  INPUT_IDS("input_ids", Entry.INT64, Shape.BATCH_OF_ONE),
  /** Labels. */
  LABELS("labels", Entry.INT64, Shape.BATCH_OF_ONE),
  /** Positions, row-major {@code [3][L]}. */
  POSITION_IDS("position_ids", Entry.INT64, Shape.THREE_AXES),
  /** Patches. */
  PIXEL_VALUES("pixel_values", Entry.PATCH, Shape.ROWS),
  /** Grids: rows of t, h, w. */
  IMAGE_GRID_THW("image_grid_thw", Entry.GRID, Shape.ROWS);

  /** The columns that are tensors, in their order: all but the strings. */
  public static final List<ShardColumn> TENSORS =
      Arrays.stream(values()).filter(column -> column.entry != Entry.STRING).toList();

  private final String columnName;
  private final Entry entry;
  private final Shape shape;

  ShardColumn(String columnName, Entry entry, Shape shape) {
    this.columnName = columnName;
    this.entry = entry;
    this.shape = shape;
  }

  /** What one entry of a pack's list is: the type of its values, and how many make a row. */
  private enum Entry {
    STRING(null, 0),
    INT32(ElementType.INT32, 1),
    INT64(ElementType.INT64, 1),
    GRID(ElementType.INT64, 3),
    /** As the pixel layout of the dataset says. */
    PATCH(null, 0);

    private final @Nullable ElementType type;
    private final int width;

    Entry(@Nullable ElementType type, int width) {
      this.type = type;
      this.width = width;
    }

    private ElementType type(PixelLayout pixels) {
      if (type != null) {
        return type;
      }
      if (this == PATCH) {
        return pixels.type();
      }
      throw new IllegalArgumentException("sample ids are no tensor");
    }

    private int width(PixelLayout pixels) {
      return this == PATCH ? pixels.valuesPerPatch() : width;
    }
  }

  /** How the entries of a pack's list become a tensor. */
  private enum Shape {
    /** {@code [n]}. */
    SEQUENCE,
    /** {@code [1, n]}. */
    BATCH_OF_ONE,
    /** {@code [3, 1, n / 3]}. */
    THREE_AXES,
    /** {@code [n, width]}. */
    ROWS
  }

  /** The tensor with a name, which is that of the model's argument. */
  public static ShardColumn tensor(String name) {
    for (ShardColumn column : TENSORS) {
      if (column.columnName.equals(name)) {
        return column;
      }
    }
    throw new IllegalArgumentException(
        "tensor: expected one of "
            + TENSORS.stream().map(ShardColumn::columnName).toList()
            + ", found "
            + name);
  }

  /** The name in the schema, which is that of the model's argument. */
  public String columnName() {
    return columnName;
  }

  /** Whether an entry is a row of several values. */
  public boolean hasRows() {
    return shape == Shape.ROWS;
  }

  /** The type of its values; a column of strings has none. */
  public ElementType type(PixelLayout pixels) {
    return entry.type(pixels);
  }

  /** Bytes of one entry of a pack's list; strings have no such length. */
  public int entryBytes(PixelLayout pixels) {
    return type(pixels).bytes() * entry.width(pixels);
  }

  /**
   * The extents of the tensor, slowest first.
   *
   * @param entries length of the list
   */
  public long[] shape(long entries, PixelLayout pixels) {
    return switch (shape) {
      case SEQUENCE -> new long[] {entries};
      case BATCH_OF_ONE -> new long[] {1, entries};
      case THREE_AXES -> new long[] {3, 1, entries / 3};
      case ROWS -> new long[] {entries, entry.width(pixels)};
    };
  }

  /** The column in the schema. */
  ArrowField field(PixelLayout pixels) {
    if (entry == Entry.STRING) {
      return ArrowField.listOfStrings(columnName);
    }
    return hasRows()
        ? ArrowField.listOfRows(columnName, entry.width(pixels), type(pixels))
        : ArrowField.listOf(columnName, type(pixels));
  }
}
