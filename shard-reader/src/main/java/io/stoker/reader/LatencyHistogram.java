package io.stoker.reader;

/**
 * Counts durations in classes whose bounds are 1/16 apart, so that a quantile is exact to 6 %.
 * Thread-safe.
 */
final class LatencyHistogram {
  private static final int SUB_BITS = 4;
  private static final int SUB = 1 << SUB_BITS;

  private final long[] counts = new long[Long.SIZE * SUB];
  private long total;

  synchronized void add(long nanos) {
    counts[index(Math.max(0, nanos))]++;
    total++;
  }

  /**
   * The upper bound of the class in which a quantile lies, in nanoseconds; 0 if nothing was added.
   *
   * @param quantile in (0, 1]
   */
  synchronized long quantile(double quantile) {
    long rank = (long) Math.ceil(quantile * total);
    long seen = 0;
    for (int i = 0; i < counts.length && total > 0; i++) {
      seen += counts[i];
      if (seen >= rank) {
        return upper(i);
      }
    }
    return 0;
  }

  private static int index(long nanos) {
    if (nanos < SUB) {
      return (int) nanos;
    }
    int exponent = Long.SIZE - 1 - Long.numberOfLeadingZeros(nanos) - SUB_BITS;
    return (exponent + 1) * SUB + (int) (nanos >>> exponent) - SUB;
  }

  private static long upper(int index) {
    int exponent = index / SUB - 1;
    return exponent < 0 ? index : ((index % SUB + SUB + 1L) << exponent) - 1;
  }
}
