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
    return Arrays.stream(ShardColumn.values()).map(column -> column.field(pixels)).toList();
  }
}
