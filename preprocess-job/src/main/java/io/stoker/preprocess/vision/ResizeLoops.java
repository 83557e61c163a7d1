package io.stoker.preprocess.vision;

/**
 * The loops that take nearly all of the time. Lanes are independent: rows in the horizontal pass,
 * words of a row in the vertical one.
 *
 * <p>Arrays come from {@link IntRows}; a loop may also compute the lanes between {@code length} and
 * the next multiple of {@link #ROUNDING}, which are garbage to everybody.
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
}
