package io.stoker.preprocess.vision;

import java.util.LinkedHashMap;
import java.util.Map;

/** The most recently used {@link AxisWeights} of one kernel; datasets repeat a few sizes. */
final class WeightsCache {
  private static final int CAPACITY = 64;

  private record Key(int in, int out) {}

  private final ResizeKernel kernel;
  private final Map<Key, AxisWeights> recent = new LinkedHashMap<>(CAPACITY, 0.75f, true);

  WeightsCache(ResizeKernel kernel) {
    this.kernel = kernel;
  }

  /** Weights for {@code in} samples that become {@code out} samples. */
  AxisWeights get(int in, int out) {
    Key key = new Key(in, out);
    AxisWeights weights = recent.get(key);
    if (weights == null) {
      if (recent.size() == CAPACITY) {
        recent.remove(recent.keySet().iterator().next());
      }
      weights = AxisWeights.of(in, out, kernel);
      recent.put(key, weights);
    }
    return weights;
  }
}
