package io.stoker.preprocess.vision;

import java.util.Optional;

/**
 * The weights of an axis as {@link RowKernels} wants them: floats, as many for every output as one
 * of its loops has taps.
 *
 * <p>Sums of such weights and 8-bit samples are exact in float, in any order and with or without
 * fused multiplication: they start at ½ − 2^22, their weights are whole numbers, and no partial sum
 * leaves ±2^23, below which floats are at most ½ apart. That ½ also rounds: (sum + ½) / 2^p is
 * never half-way between two whole numbers, and the nearest one is what the reference's {@code (sum
 * + 2^(p−1)) >> p} gives.
 */
final class RowWeights {
  /** Most taps of the loops. */
  static final int TAPS = 8;

  /** Enough for the rows of a picture that shrinks by less than a quarter. */
  static final int FEW_TAPS = 5;

  /** Where a sum starts. */
  static final float START = 0.5f - (1 << 22);

  /** Between 2^23 and 2^24 floats are 1 apart: adding this rounds to a whole number. */
  static final float ROUNDER = 1.5f * (1 << 23);

  private static final int MAX_PRECISION = 15;

  /** Weights per output or block. */
  final int taps;

  /** First source sample of every output or block; of a block it may be negative. */
  final int[] starts;

  /**
   * Of outputs: weight {@code k} of output {@code i} at {@code i * taps + k}. Of blocks: weight
   * {@code k} of lane {@code l} of block {@code i} at {@code (i * taps + k) * lanes + l}.
   */
  final float[] weights;

  /** What turns a sum into a share of 2^precision. */
  final float scale;

  /** {@link #ROUNDER} without what the sum started at. */
  final float rounder;

  private RowWeights(int taps, int[] starts, float[] weights, int precision) {
    this.taps = taps;
    this.starts = starts;
    this.weights = weights;
    scale = 1f / (1 << precision);
    rounder = ROUNDER + (1 << 22 >> precision);
  }

  /**
   * Weights with which whole rows are summed.
   *
   * @return nothing if there are more taps than a loop has, or sums may be inexact
   */
  static Optional<RowWeights> rows(AxisWeights axis) {
    if (axis.taps > TAPS || !isExact(axis)) {
      return Optional.empty();
    }
    int outputs = axis.starts.length;
    int taps = axis.taps <= FEW_TAPS ? FEW_TAPS : TAPS;
    float[] weights = new float[outputs * taps];
    for (int i = 0; i < outputs; i++) {
      for (int k = 0; k < axis.taps; k++) {
        weights[i * taps + k] = axis.weights[i * axis.taps + k];
      }
    }
    return Optional.of(new RowWeights(taps, axis.starts, weights, axis.precision));
  }

  /**
   * Weights for blocks of neighbouring outputs. Lane {@code l} of block {@code b} sums samples
   * {@code starts[b] + k + l}: where its own window begins later, its first weights are 0. So a
   * vector of samples is one load, as long as windows advance not much faster than outputs.
   *
   * @param lanes outputs of a block, a divisor of their number
   * @return nothing if a block has more taps than a loop has, or sums may be inexact
   */
  static Optional<RowWeights> blocks(AxisWeights axis, int lanes) {
    int blocks = axis.starts.length / lanes;
    int[] starts = new int[blocks];
    int taps = 0;
    for (int block = 0; block < blocks; block++) {
      int first = Integer.MAX_VALUE;
      int last = Integer.MIN_VALUE;
      for (int lane = 0; lane < lanes; lane++) {
        int start = axis.starts[block * lanes + lane] - lane;
        first = Math.min(first, start);
        last = Math.max(last, start);
      }
      starts[block] = first;
      taps = Math.max(taps, last - first + axis.taps);
    }
    if (taps > TAPS || !isExact(axis)) {
      return Optional.empty();
    }
    float[] weights = new float[blocks * TAPS * lanes];
    for (int i = 0; i < blocks * lanes; i++) {
      int lane = i % lanes;
      int skipped = axis.starts[i] - lane - starts[i / lanes];
      for (int k = 0; k < axis.taps; k++) {
        weights[(i / lanes * TAPS + skipped + k) * lanes + lane] = axis.weights[i * axis.taps + k];
      }
    }
    return Optional.of(new RowWeights(TAPS, starts, weights, axis.precision));
  }

  private static boolean isExact(AxisWeights axis) {
    if (axis.precision > MAX_PRECISION) {
      return false;
    }
    for (int i = 0; i < axis.starts.length; i++) {
      long positive = 0;
      long negative = 0;
      for (int k = 0; k < axis.taps; k++) {
        int weight = axis.weights[i * axis.taps + k];
        positive += Math.max(weight, 0);
        negative -= Math.min(weight, 0);
      }
      if (255 * positive >= 3 << 22 || 255 * negative >= 1 << 22) {
        return false;
      }
    }
    return true;
  }
}
