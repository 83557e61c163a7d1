package io.stoker.preprocess.vision;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiFunction;

/** The most recently used weights of one kind; datasets repeat a few sizes. */
final class WeightsCache<T> {
  private static final int CAPACITY = 64;

  /** Longer axes are rare, and keeping 64 of them would take too much of a small heap. */
  private static final int LONGEST = 8192;

  private record Key(int in, int out) {}

  private final BiFunction<Integer, Integer, T> source;
  private final Map<Key, T> recent = new LinkedHashMap<>(CAPACITY, 0.75f, true);

  /**
   * @param source computes what {@link #get} gives
   */
  WeightsCache(BiFunction<Integer, Integer, T> source) {
    this.source = source;
  }

  /** Weights for {@code in} samples that become {@code out} samples. */
  T get(int in, int out) {
    Key key = new Key(in, out);
    T weights = recent.get(key);
    if (weights == null) {
      weights = source.apply(in, out);
      if (out <= LONGEST) {
        if (recent.size() == CAPACITY) {
          recent.remove(recent.keySet().iterator().next());
        }
        recent.put(key, weights);
      }
    }
    return weights;
  }
}
