package io.stoker.preprocess.pack;

/**
 * Finds the one, two or three of the waiting lengths that fill a room best. One search over a given
 * set of lengths; not thread-safe.
 */
final class BestFit {
  private static final int NONE = -1;

  // Ascending and distinct.
  private final int[] lengths;
  private final int[] counts;
  private int filled;
  private int[] best = {};

  /**
   * @param lengths the lengths, ascending, each once
   * @param counts how many of each wait
   */
  BestFit(int[] lengths, int[] counts) {
    this.lengths = lengths;
    this.counts = counts;
  }

  /**
   * The lengths whose sum comes nearest to the room without exceeding it: of equal sums the one of
   * fewer lengths, then the one with the largest length. Empty if none fits.
   */
  int[] in(int room) {
    int top = lengths.length - 1;
    while (top >= 0 && lengths[top] > room) {
      top--;
    }
    if (top >= 0) {
      better(lengths[top]);
    }
    pairs(top, NONE, room);
    // This is the largest of three. Three times less than a third cannot beat what is filled
    // already.
    for (int k = top; k >= 0 && filled < room && 3L * lengths[k] > filled; k--) {
      pairs(counts[k] > 1 ? k : k - 1, k, room);
    }
    return best;
  }

  /**
   * Tries all pairs of lengths.
   *
   * @param top index of the largest length to try
   * @param third index of a length, of which one is taken beside them; or NONE
   */
  private void pairs(int top, int third, int room) {
    int low = 0;
    int high = top;
    while (low <= high && filled < room) {
      long sum = (long) lengths[low] + lengths[high] + (third == NONE ? 0 : lengths[third]);
      if (sum > room) {
        high--;
        continue;
      }
      boolean there = low < high || counts[high] > (high == third ? 2 : 1);
      if (sum > filled && there) {
        if (third == NONE) {
          better(lengths[high], lengths[low]);
        } else {
          better(lengths[third], lengths[high], lengths[low]);
        }
      }
      low++;
    }
  }

  private void better(int... found) {
    best = found;
    filled = 0;
    for (int length : found) {
      filled += length;
    }
  }
}
