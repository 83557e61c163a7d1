package io.stoker.preprocess.vision;

/**
 * The integer weights with which one axis is resized: antialiased bicubic (a = −0.5), windows cut
 * at the edges and renormalised. Every output uses the same number of source samples, with weight 0
 * where its own window is smaller.
 */
final class AxisWeights {
  private static final double A = -0.5;

  /** Source samples per output. */
  final int taps;

  /** First source sample of output {@code i}; {@code starts[i] + taps} never passes the end. */
  final int[] starts;

  /** Weight {@code k} of output {@code i} at {@code i * taps + k}, times {@code 2^precision}. */
  final int[] weights;

  /** Fraction bits of a weight. */
  final int precision;

  private AxisWeights(int taps, int[] starts, int[] weights, int precision) {
    this.taps = taps;
    this.starts = starts;
    this.weights = weights;
    this.precision = precision;
  }

  /**
   * Weights for {@code in} samples that become {@code out} samples. All steps are in double and in
   * the order of evaluation that both reference kernels use: another order gives other last bits.
   */
  static AxisWeights of(int in, int out, ResizeKernel kernel) {
    double scale = (double) in / out;
    double filterScale = Math.max(scale, 1.0);
    double support = 2 * filterScale;
    int[] starts = new int[out];
    int[] counts = new int[out];
    int taps = 0;
    for (int i = 0; i < out; i++) {
      double centre = (i + 0.5) * scale;
      starts[i] = Math.max(0, (int) (centre - support + 0.5));
      int end = Math.min(in, (int) (centre + support + 0.5));
      counts[i] = Math.min(end - starts[i], kernel.maxTaps(support));
      taps = Math.max(taps, counts[i]);
    }
    double[] real = new double[Math.multiplyExact(out, taps)];
    double largest = 0;
    for (int i = 0; i < out; i++) {
      int start = Math.min(starts[i], in - taps);
      int at = i * taps + starts[i] - start;
      largest =
          Math.max(
              largest, fill(real, at, counts[i], starts[i], (i + 0.5) * scale, 1 / filterScale));
      starts[i] = start;
    }
    int precision = kernel.precision(largest);
    return new AxisWeights(taps, starts, fixed(real, precision), precision);
  }

  /** Writes the normalised weights of one window and returns the largest. */
  private static double fill(
      double[] weights, int at, int count, int first, double centre, double inverse) {
    double sum = 0;
    for (int k = 0; k < count; k++) {
      weights[at + k] = cubic((k + first - centre + 0.5) * inverse);
      sum += weights[at + k];
    }
    double largest = 0;
    for (int k = 0; k < count; k++) {
      if (sum != 0) {
        weights[at + k] /= sum;
      }
      largest = Math.max(largest, weights[at + k]);
    }
    return largest;
  }

  /** The Keys cubic kernel, in Horner form. */
  private static double cubic(double signed) {
    double x = Math.abs(signed);
    if (x < 1) {
      return ((A + 2) * x - (A + 3)) * x * x + 1;
    }
    return x < 2 ? (((x - 5) * x + 8) * x - 4) * A : 0;
  }

  /** Rounds half away from zero, as a truncating cast of {@code x ± 0.5}. */
  private static int[] fixed(double[] real, int precision) {
    int one = 1 << precision;
    int[] weights = new int[real.length];
    for (int i = 0; i < real.length; i++) {
      weights[i] = (int) (real[i] * one + (real[i] < 0 ? -0.5 : 0.5));
    }
    return weights;
  }
}
