package io.stoker.preprocess.vision;

/**
 * The resize as its specification states it, sample by sample, sharing nothing with the main code.
 * Slow.
 */
final class ReferenceResize {
  private ReferenceResize() {}

  /** HWC pixels of the resized picture. */
  static byte[] resize(
      byte[] pixels, int height, int width, int newHeight, int newWidth, boolean pillow) {
    byte[] wide = pixels;
    if (newWidth != width) {
      Axis axis = new Axis(width, newWidth, pillow);
      wide = new byte[height * newWidth * 3];
      for (int y = 0; y < height; y++) {
        for (int x = 0; x < newWidth; x++) {
          for (int c = 0; c < 3; c++) {
            wide[(y * newWidth + x) * 3 + c] = axis.sample(pixels, y * width * 3 + c, 3, x);
          }
        }
      }
    }
    if (newHeight == height) {
      return wide;
    }
    Axis axis = new Axis(height, newHeight, pillow);
    byte[] result = new byte[newHeight * newWidth * 3];
    for (int y = 0; y < newHeight; y++) {
      for (int i = 0; i < newWidth * 3; i++) {
        result[y * newWidth * 3 + i] = axis.sample(wide, i, newWidth * 3, y);
      }
    }
    return result;
  }

  /** Weights of one axis, a ragged table. */
  private static final class Axis {
    final int[] low;
    final double[][] weights;
    final int bits;

    Axis(int n, int m, boolean pillow) {
      double scale = (double) n / m;
      double filterScale = scale > 1 ? scale : 1;
      double support = 2 * filterScale;
      double inverse = 1 / filterScale;
      low = new int[m];
      weights = new double[m][];
      double largest = 0;
      for (int i = 0; i < m; i++) {
        double centre = (i + 0.5) * scale;
        int lo = Math.max(0, (int) (centre - support + 0.5));
        int hi = Math.min(n, (int) (centre + support + 0.5));
        low[i] = lo;
        weights[i] = new double[hi - lo];
        double sum = 0;
        for (int x = 0; x < hi - lo; x++) {
          weights[i][x] = kernel((x + lo - centre + 0.5) * inverse);
          sum += weights[i][x];
        }
        for (int x = 0; x < hi - lo; x++) {
          if (sum != 0) {
            weights[i][x] /= sum;
          }
          largest = Math.max(largest, weights[i][x]);
        }
      }
      bits = pillow ? 22 : torchBits(largest);
    }

    static int torchBits(double largest) {
      int p = 0;
      while (p < 22 && (long) (0.5 + largest * Math.pow(2, p + 1)) < 32768) {
        p++;
      }
      return p;
    }

    static double kernel(double value) {
      double a = -0.5;
      double x = value < 0 ? -value : value;
      if (x < 1) {
        return ((a + 2) * x - (a + 3)) * x * x + 1;
      }
      if (x < 2) {
        return (((x - 5) * x + 8) * x - 4) * a;
      }
      return 0;
    }

    byte sample(byte[] source, int from, int step, int i) {
      long sum = bits == 0 ? 0 : 1L << (bits - 1);
      for (int k = 0; k < weights[i].length; k++) {
        double scaled = weights[i][k] * Math.pow(2, bits);
        long weight = (long) (scaled < 0 ? scaled - 0.5 : scaled + 0.5);
        sum += weight * (source[from + (low[i] + k) * step] & 0xff);
      }
      long value = Math.floorDiv(sum, 1L << bits);
      return (byte) Math.max(0, Math.min(255, value));
    }
  }
}
