package io.stoker.format;

import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** The Arrow schema of a shard. */
public final class ShardSchema {
  private ShardSchema() {}

  /** The schema of the shards of one dataset. */
  public static ArrowSchema of(String datasetId, PixelLayout pixels) {
    return ArrowSchema.of(
        columns(pixels),
        ShardFormat.SHARD_FORMAT,
        datasetId,
        Map.of(
            ShardFormat.PIXEL_ENCODING_KEY,
            pixels.encoding(),
            ShardFormat.PIXEL_TEMPORAL_KEY,
            pixels.temporal()));
  }

  /** The columns, in the order of {@link ShardColumn}. */
  static List<ArrowField> columns(PixelLayout pixels) {
    return Arrays.stream(ShardColumn.values()).map(column -> field(column, pixels)).toList();
  }

  private static ArrowField field(ShardColumn column, PixelLayout pixels) {
    String name = column.columnName();
    return switch (column) {
      case SAMPLE_IDS -> ArrowField.listOfStrings(name);
      case CU_SEQLENS -> ArrowField.listOf(name, ElementType.INT32);
      case INPUT_IDS, LABELS, POSITION_IDS -> ArrowField.listOf(name, ElementType.INT64);
      case PIXEL_VALUES -> ArrowField.listOfRows(name, pixels.valuesPerPatch(), pixels.type());
      case IMAGE_GRID_THW -> ArrowField.listOfRows(name, 3, ElementType.INT64);
    };
  }
}
