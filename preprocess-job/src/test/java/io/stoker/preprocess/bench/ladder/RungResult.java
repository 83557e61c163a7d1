package io.stoker.preprocess.bench.ladder;

import java.util.List;

/**
 * What a rung showed.
 *
 * @param rung the rung
 * @param ranks the steps of each of its training loops
 */
record RungResult(Rung rung, List<List<TrainLoop.Step>> ranks) {
  /** (wait) / (wait + train) over all ranks. */
  double waitRatio() {
    return waitNanos() / (waitNanos() + trainNanos());
  }

  /** Of all ranks together. */
  double samplesPerSecond() {
    double samples = steps().stream().mapToInt(TrainLoop.Step::samples).sum();
    return samples / ((waitNanos() + trainNanos()) / ranks.size() / 1e9);
  }

  private double waitNanos() {
    return steps().stream().mapToLong(TrainLoop.Step::waitNanos).sum();
  }

  private double trainNanos() {
    return steps().stream().mapToLong(TrainLoop.Step::trainNanos).sum();
  }

  private List<TrainLoop.Step> steps() {
    return ranks.stream().flatMap(List::stream).toList();
  }
}
