package io.stoker.preprocess.vision;

/**
 * Rows of 8-bit samples from top to bottom, four samples per int, the first in the lowest byte.
 *
 * <p>A row is either interleaved, R, G, B of one pixel after the other, or planar: R at int 0, G at
 * {@link #planeWords}, B at twice that.
 */
interface PackedRows {
  /** Writes the next row into the front of {@code row}; what follows there is undefined. */
  void read(int[] row);

  /** Ints of an interleaved row. */
  static int interleavedWords(int width) {
    return (3 * width + 3) / 4;
  }

  /** Ints of one colour of a planar row: whole vectors, so that colours do not share one. */
  static int planeWords(int width) {
    return (width / 4 + 15) / 16 * 16;
  }
}
