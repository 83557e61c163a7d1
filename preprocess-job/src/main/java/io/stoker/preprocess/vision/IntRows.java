package io.stoker.preprocess.vision;

import java.util.Arrays;

/**
 * Reusable int arrays, one per row: the compiler vectorises loops over {@code a[i]} and {@code
 * b[i]}, but not over {@code a[from + i]} and {@code a[to + i]}.
 */
final class IntRows {
  private int[][] rows = new int[0][];
  private long retained;

  /**
   * At least {@code count} arrays of at least {@code length} ints each, rounded up so that {@link
   * ResizeLoops} may run over the end. The contents are what earlier use left.
   */
  int[][] rows(int count, int length) {
    int from = rows.length;
    if (from < count) {
      rows = Arrays.copyOf(rows, count);
      Arrays.fill(rows, from, count, new int[0]);
    }
    int rounded = ResizeLoops.roundUp(length);
    for (int i = 0; i < count; i++) {
      if (rows[i].length < rounded) {
        retained += rounded - rows[i].length;
        rows[i] = new int[rounded];
      }
    }
    return rows;
  }

  /** Forgets all arrays if they hold more than {@code limit} ints. */
  void trim(long limit) {
    if (retained > limit) {
      rows = new int[0][];
      retained = 0;
    }
  }
}
