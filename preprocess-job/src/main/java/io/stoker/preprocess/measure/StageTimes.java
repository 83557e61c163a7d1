package io.stoker.preprocess.measure;

import java.io.Serializable;
import java.util.EnumMap;
import java.util.Map;

/**
 * Busy time per stage.
 *
 * @param nanos nanoseconds of each stage, added up over tasks
 */
public record StageTimes(Map<Stage, Long> nanos) implements Serializable {
  public StageTimes {
    nanos = Map.copyOf(nanos);
  }

  /** No time at all. */
  public static StageTimes none() {
    return new StageTimes(Map.of());
  }

  /** The sum of both. */
  public StageTimes plus(StageTimes other) {
    Map<Stage, Long> sum = new EnumMap<>(Stage.class);
    nanos.forEach((stage, value) -> sum.merge(stage, value, Long::sum));
    other.nanos.forEach((stage, value) -> sum.merge(stage, value, Long::sum));
    return new StageTimes(sum);
  }

  /** Seconds of one stage. */
  public double seconds(Stage stage) {
    return nanos.getOrDefault(stage, 0L) / 1e9;
  }

  /** Share of one stage in all of them, 0 to 1. */
  public double share(Stage stage) {
    long total = nanos.values().stream().mapToLong(Long::longValue).sum();
    return total == 0 ? 0 : (double) nanos.getOrDefault(stage, 0L) / total;
  }

  /** The stage that takes most time. */
  public Stage bottleneck() {
    Stage most = Stage.FETCH_WAIT;
    for (Stage stage : Stage.values()) {
      if (nanos.getOrDefault(stage, 0L) > nanos.getOrDefault(most, 0L)) {
        most = stage;
      }
    }
    return most;
  }
}
