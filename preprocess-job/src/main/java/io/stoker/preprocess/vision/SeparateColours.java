package io.stoker.preprocess.vision;

/**
 * Makes interleaved rows planar, for pictures that no horizontal pass has made so.
 *
 * <p>Four pixels are three words, RGBR, GBRG and BRGB (lowest byte first). One loop sets first,
 * second and third words apart, and then one loop for each colour puts it together. The compiler
 * vectorises these loops. With the Vector API's shuffles and gathers this took longer on JDK 17:
 * they check their indexes each time.
 */
final class SeparateColours implements PackedRows {
  private final PackedRows source;
  private final int planeWords;
  private final int[] interleaved;
  private final int[] first;
  private final int[] second;
  private final int[] third;
  private final int[] colour;

  /**
   * @param width pixels of a row, a multiple of 4
   */
  SeparateColours(PackedRows source, int width, Scratch scratch) {
    this.source = source;
    planeWords = PackedRows.planeWords(width);
    int[][] arrays = scratch.interleaved.rows(5, 3 * planeWords);
    interleaved = arrays[0];
    first = arrays[1];
    second = arrays[2];
    third = arrays[3];
    colour = arrays[4];
  }

  @Override
  public void read(int[] row) {
    source.read(interleaved);
    split(interleaved, first, second, third, planeWords);
    red(first, second, third, colour, planeWords);
    System.arraycopy(colour, 0, row, 0, planeWords);
    green(first, second, third, colour, planeWords);
    System.arraycopy(colour, 0, row, planeWords, planeWords);
    blue(first, second, third, colour, planeWords);
    System.arraycopy(colour, 0, row, 2 * planeWords, planeWords);
  }

  private static void split(int[] words, int[] a, int[] b, int[] c, int length) {
    for (int i = 0; i < length; i++) {
      a[i] = words[3 * i];
      b[i] = words[3 * i + 1];
      c[i] = words[3 * i + 2];
    }
  }

  private static void red(int[] a, int[] b, int[] c, int[] out, int length) {
    for (int i = 0; i < length; i++) {
      out[i] =
          (a[i] & 0xff) | (a[i] >>> 16 & 0xff00) | (b[i] & 0xff0000) | (c[i] << 16 & 0xff000000);
    }
  }

  private static void green(int[] a, int[] b, int[] c, int[] out, int length) {
    for (int i = 0; i < length; i++) {
      out[i] =
          (a[i] >>> 8 & 0xff)
              | (b[i] << 8 & 0xff00)
              | (b[i] >>> 8 & 0xff0000)
              | (c[i] << 8 & 0xff000000);
    }
  }

  private static void blue(int[] a, int[] b, int[] c, int[] out, int length) {
    for (int i = 0; i < length; i++) {
      out[i] =
          (a[i] >>> 16 & 0xff) | (b[i] & 0xff00) | (c[i] << 16 & 0xff0000) | (c[i] & 0xff000000);
    }
  }
}
