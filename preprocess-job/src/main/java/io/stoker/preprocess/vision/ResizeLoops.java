package io.stoker.preprocess.vision;

/**
 * The loops that take nearly all of the time. Lanes are independent: rows in the horizontal pass,
 * words of a row in the vertical one.
 *
 * <p>Arrays come from {@link Scratch.IntRows}; a loop may also compute the lanes between {@code
 * length} and the next multiple of {@link #ROUNDING}, whose values nobody may use.
 */
interface ResizeLoops {
  /** All arrays are a multiple of this long: four vectors of 16 ints. */
  int ROUNDING = 64;

  /** The least multiple of {@link #ROUNDING} that is at least {@code length}. */
  static int roundUp(int length) {
    return Math.addExact(length, ROUNDING - 1) / ROUNDING * ROUNDING;
  }

  /**
   * Source rows that the horizontal pass handles together, a multiple of {@link #ROUNDING}.
   *
   * @param words ints of a packed source row
   */
  int blockRows(int words);

  /** Splits words into their four bytes: {@code planes[first]} gets the lowest, and so on. */
  void unpack(int[] words, int[][] planes, int first, int length);

  /**
   * Four weighted sums per lane, rounded, clamped to 0 … 255 and packed into one word: {@code
   * clamp((2^(p−1) + Σ sample · weight) >> p)}.
   */
  void blend(int[] out, int length, BlendWindow window);

  /**
   * What {@link #blend} sums: four windows on a ring of planes, each with its own weights. Mutable,
   * to be filled again for every call without allocation.
   *
   * <p>Sample {@code k} of window {@code j} is {@code planes[(start[j] + k * stride) & mask]}, its
   * weight {@code weights[weightAt[j] + k]}.
   */
  final class BlendWindow {
    final int[][] planes;
    final int mask;
    final int stride;
    final int[] weights;
    final int taps;
    final int precision;
    final int[] start = new int[4];
    final int[] weightAt = new int[4];

    /**
     * @param planes at least {@code mask + 1} arrays, one sample per int
     * @param mask ring size − 1, the ring size being a power of two
     * @param stride planes from one sample of a window to the next
     * @param weights of the axis
     */
    BlendWindow(int[][] planes, int mask, int stride, AxisWeights weights) {
      this.planes = planes;
      this.mask = mask;
      this.stride = stride;
      this.weights = weights.weights;
      this.taps = weights.taps;
      this.precision = weights.precision;
    }

    /** The least power of two that is at least {@code count}. */
    static int ringSize(int count) {
      return count <= 1 ? 1 : Integer.highestOneBit(count - 1) << 1;
    }
  }
}
