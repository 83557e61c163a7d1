package io.stoker.preprocess.bench;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Runs variants in turn, A B C A B C …, and gives the median processor time of the calling thread
 * per variant: drifts of the machine's speed hit all of them alike.
 */
final class Interleaved {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final Map<String, Work> variants = new LinkedHashMap<>();

  /** What is measured. */
  @FunctionalInterface
  interface Work {
    void run() throws Exception;
  }

  Interleaved variant(String name, Work work) {
    variants.put(name, work);
    return this;
  }

  /**
   * Medians in milliseconds by variant.
   *
   * @param rounds counted rounds; as many go before them as warm-up
   */
  Map<String, Double> run(int rounds) throws Exception {
    Map<String, List<Double>> times = new LinkedHashMap<>();
    for (int round = 0; round < 2 * rounds; round++) {
      for (Map.Entry<String, Work> variant : variants.entrySet()) {
        long start = THREADS.getCurrentThreadCpuTime();
        variant.getValue().run();
        double millis = (THREADS.getCurrentThreadCpuTime() - start) / 1e6;
        if (round >= rounds) {
          times.computeIfAbsent(variant.getKey(), name -> new ArrayList<>()).add(millis);
        }
      }
    }
    Map<String, Double> medians = new LinkedHashMap<>();
    times.forEach((name, values) -> medians.put(name, median(values)));
    return medians;
  }

  static double median(List<Double> values) {
    List<Double> sorted = new ArrayList<>(values);
    Collections.sort(sorted);
    return sorted.get(sorted.size() / 2);
  }
}
