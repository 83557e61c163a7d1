package io.stoker.format;

/** The columns of a shard, in their order. */
public enum ShardColumn {
  /** Provenance, one string per segment. */
  SAMPLE_IDS("sample_ids"),
  /** Segment boundaries with a leading 0, int32. */
  CU_SEQLENS("cu_seqlens"),
  /** Token ids, int64. */
  INPUT_IDS("input_ids"),
  /** Labels, int64. */
  LABELS("labels"),
  /** Positions, int64, row-major {@code [3][L]}. */
  POSITION_IDS("position_ids"),
  /** Patches. */
  PIXEL_VALUES("pixel_values"),
  /** Grids, int64 rows of t, h, w. */
  IMAGE_GRID_THW("image_grid_thw");

  private final String columnName;

  ShardColumn(String columnName) {
    this.columnName = columnName;
  }

  /** The name in the schema, which is that of the model's argument. */
  public String columnName() {
    return columnName;
  }
}
