package io.stoker.preprocess.vision;

/**
 * {@link ResizeLoops} in plain Java. Each loop is a small static method over whole arrays with one
 * common index, the shape that C2 of JDK 17 vectorises.
 */
final class PlainLoops implements ResizeLoops {
  /** Ints per strip: the sums of a strip stay in the first-level cache. */
  private static final int STRIP = 512;

  private int[] sum0 = new int[0];
  private int[] sum1 = new int[0];
  private int[] sum2 = new int[0];
  private int[] sum3 = new int[0];

  /**
   * Columns are long, because each loop pays for a scalar prologue and epilogue. But a block holds
   * no more transposed words than a second-level cache does.
   */
  @Override
  public int blockRows(int words) {
    return words <= 512 ? 256 : words <= 1024 ? 128 : 64;
  }

  @Override
  public void unpack(int[] words, int[][] planes, int first, int length) {
    unpack0(words, planes[first], length);
    unpack1(words, planes[first + 1], length);
    unpack2(words, planes[first + 2], length);
    unpack3(words, planes[first + 3], length);
  }

  private static void unpack0(int[] words, int[] plane, int length) {
    for (int i = 0; i < length; i++) {
      plane[i] = words[i] & 0xff;
    }
  }

  private static void unpack1(int[] words, int[] plane, int length) {
    for (int i = 0; i < length; i++) {
      plane[i] = words[i] >>> 8 & 0xff;
    }
  }

  private static void unpack2(int[] words, int[] plane, int length) {
    for (int i = 0; i < length; i++) {
      plane[i] = words[i] >>> 16 & 0xff;
    }
  }

  private static void unpack3(int[] words, int[] plane, int length) {
    for (int i = 0; i < length; i++) {
      plane[i] = words[i] >>> 24;
    }
  }

  @Override
  public void blend(int[] out, int length, BlendWindow window) {
    if (sum0.length < length) {
      int size = ResizeLoops.roundUp(length);
      sum0 = new int[size];
      sum1 = new int[size];
      sum2 = new int[size];
      sum3 = new int[size];
    }
    for (int from = 0; from < length; from += STRIP) {
      int to = Math.min(length, from + STRIP);
      sum(sum0, from, to, window, 0);
      sum(sum1, from, to, window, 1);
      sum(sum2, from, to, window, 2);
      sum(sum3, from, to, window, 3);
      pack(out, sum0, sum1, sum2, sum3, window.precision, from, to);
    }
  }

  private static void sum(int[] sum, int from, int to, BlendWindow window, int j) {
    int[][] planes = window.planes;
    int mask = window.mask;
    int stride = window.stride;
    int[] weights = window.weights;
    int taps = window.taps;
    int half = 1 << window.precision >> 1;
    int s = window.start[j];
    int w = window.weightAt[j];
    int k = 0;
    if (taps == 5) {
      set5(
          sum,
          half,
          planes[s & mask],
          weights[w],
          planes[s + stride & mask],
          weights[w + 1],
          planes[s + 2 * stride & mask],
          weights[w + 2],
          planes[s + 3 * stride & mask],
          weights[w + 3],
          planes[s + 4 * stride & mask],
          weights[w + 4],
          from,
          to);
      k = 5;
    } else if (taps >= 4) {
      set4(
          sum,
          half,
          planes[s & mask],
          weights[w],
          planes[s + stride & mask],
          weights[w + 1],
          planes[s + 2 * stride & mask],
          weights[w + 2],
          planes[s + 3 * stride & mask],
          weights[w + 3],
          from,
          to);
      k = 4;
    } else {
      set1(sum, half, planes[s & mask], weights[w], from, to);
      k = 1;
    }
    for (; k + 2 <= taps; k += 2) {
      add2(
          sum,
          planes[s + k * stride & mask],
          weights[w + k],
          planes[s + (k + 1) * stride & mask],
          weights[w + k + 1],
          from,
          to);
    }
    if (k < taps) {
      add1(sum, planes[s + k * stride & mask], weights[w + k], from, to);
    }
  }

  private static void set5(
      int[] sum,
      int half,
      int[] a,
      int aWeight,
      int[] b,
      int bWeight,
      int[] c,
      int cWeight,
      int[] d,
      int dWeight,
      int[] e,
      int eWeight,
      int from,
      int to) {
    for (int i = from; i < to; i++) {
      sum[i] =
          half + a[i] * aWeight + b[i] * bWeight + c[i] * cWeight + d[i] * dWeight + e[i] * eWeight;
    }
  }

  private static void set4(
      int[] sum,
      int half,
      int[] a,
      int aWeight,
      int[] b,
      int bWeight,
      int[] c,
      int cWeight,
      int[] d,
      int dWeight,
      int from,
      int to) {
    for (int i = from; i < to; i++) {
      sum[i] = half + a[i] * aWeight + b[i] * bWeight + c[i] * cWeight + d[i] * dWeight;
    }
  }

  private static void set1(int[] sum, int half, int[] a, int aWeight, int from, int to) {
    for (int i = from; i < to; i++) {
      sum[i] = half + a[i] * aWeight;
    }
  }

  private static void add1(int[] sum, int[] a, int aWeight, int from, int to) {
    for (int i = from; i < to; i++) {
      sum[i] += a[i] * aWeight;
    }
  }

  private static void add2(
      int[] sum, int[] a, int aWeight, int[] b, int bWeight, int from, int to) {
    for (int i = from; i < to; i++) {
      sum[i] += a[i] * aWeight + b[i] * bWeight;
    }
  }

  /**
   * Clamps by the sign bits of x and of 255 − x: C2 of JDK 17 does not vectorise Math.min and
   * Math.max of ints, and this loop was then half of a resize.
   */
  private static void pack(
      int[] out, int[] a, int[] b, int[] c, int[] d, int precision, int from, int to) {
    for (int i = from; i < to; i++) {
      int x = a[i] >> precision;
      int y = b[i] >> precision;
      int z = c[i] >> precision;
      int w = d[i] >> precision;
      out[i] =
          (((x & ~(x >> 31)) | ((255 - x) >> 31)) & 0xff)
              | ((((y & ~(y >> 31)) | ((255 - y) >> 31)) & 0xff) << 8)
              | ((((z & ~(z >> 31)) | ((255 - z) >> 31)) & 0xff) << 16)
              | (((w & ~(w >> 31)) | ((255 - w) >> 31)) << 24);
    }
  }
}
