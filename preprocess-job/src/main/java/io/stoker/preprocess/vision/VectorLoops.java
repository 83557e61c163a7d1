package io.stoker.preprocess.vision;

import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * {@link ResizeLoops} with the Vector API, which only this class and {@link RowKernels} name: a JVM
 * without module jdk.incubator.vector must never link them.
 */
final class VectorLoops implements ResizeLoops {
  /** At most 16 lanes, because {@link #ROUNDING} is a multiple of no wider vector. */
  static final VectorSpecies<Integer> LANES =
      IntVector.SPECIES_PREFERRED.length() > ROUNDING / 4
          ? IntVector.SPECIES_512
          : IntVector.SPECIES_PREFERRED;

  private static final int L = LANES.length();

  private final PlainLoops plain = new PlainLoops();

  /** Vectors are wide enough to be sure of a gain over the plain loops. */
  static boolean isWide() {
    return LANES.vectorBitSize() >= 256;
  }

  @Override
  public int blockRows(int words) {
    return ROUNDING;
  }

  @Override
  public void unpack(int[] words, int[][] planes, int first, int length) {
    if (length > ROUNDING) {
      // The compiler's own loops align their stores, which pays where planes outgrow the first
      // cache.
      plain.unpack(words, planes, first, length);
      return;
    }
    unpack(words, planes[first], planes[first + 1], planes[first + 2], planes[first + 3], length);
  }

  private static void unpack(int[] words, int[] a, int[] b, int[] c, int[] d, int length) {
    for (int i = 0; i < length; i += L) {
      IntVector word = IntVector.fromArray(LANES, words, i);
      word.and(0xff).intoArray(a, i);
      word.lanewise(VectorOperators.LSHR, 8).and(0xff).intoArray(b, i);
      word.lanewise(VectorOperators.LSHR, 16).and(0xff).intoArray(c, i);
      word.lanewise(VectorOperators.LSHR, 24).intoArray(d, i);
    }
  }

  @Override
  public void blend(int[] out, int length, BlendWindow window) {
    for (int i = 0; i < length; i += 4 * L) {
      strip(out, i, window);
    }
  }

  /** Four vectors at a time, so that finding a plane and its weight is paid once for four. */
  private static void strip(int[] out, int i, BlendWindow window) {
    int[][] planes = window.planes;
    int[] weights = window.weights;
    int mask = window.mask;
    int stride = window.stride;
    int taps = window.taps;
    int precision = window.precision;
    IntVector half = IntVector.broadcast(LANES, 1 << precision >> 1);
    IntVector out0 = IntVector.zero(LANES);
    IntVector out1 = out0;
    IntVector out2 = out0;
    IntVector out3 = out0;
    for (int j = 0; j < 4; j++) {
      IntVector sum0 = half;
      IntVector sum1 = half;
      IntVector sum2 = half;
      IntVector sum3 = half;
      int at = window.start[j];
      int weightAt = window.weightAt[j];
      for (int k = 0; k < taps; k++) {
        int[] plane = planes[at & mask];
        IntVector weight = IntVector.broadcast(LANES, weights[weightAt + k]);
        sum0 = sum0.add(IntVector.fromArray(LANES, plane, i).mul(weight));
        sum1 = sum1.add(IntVector.fromArray(LANES, plane, i + L).mul(weight));
        sum2 = sum2.add(IntVector.fromArray(LANES, plane, i + 2 * L).mul(weight));
        sum3 = sum3.add(IntVector.fromArray(LANES, plane, i + 3 * L).mul(weight));
        at += stride;
      }
      out0 = out0.or(sample(sum0, precision).lanewise(VectorOperators.LSHL, 8 * j));
      out1 = out1.or(sample(sum1, precision).lanewise(VectorOperators.LSHL, 8 * j));
      out2 = out2.or(sample(sum2, precision).lanewise(VectorOperators.LSHL, 8 * j));
      out3 = out3.or(sample(sum3, precision).lanewise(VectorOperators.LSHL, 8 * j));
    }
    out0.intoArray(out, i);
    out1.intoArray(out, i + L);
    out2.intoArray(out, i + 2 * L);
    out3.intoArray(out, i + 3 * L);
  }

  private static IntVector sample(IntVector sum, int precision) {
    return sum.lanewise(VectorOperators.ASHR, precision).max(0).min(255);
  }
}
