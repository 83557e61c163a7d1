package io.stoker.preprocess.vision;

/**
 * The library whose fixed-point arithmetic the antialiased bicubic resize of 8-bit samples follows.
 * The two differ only in the bits of a weight, which moves about 1 % of the samples by 1, rarely 2.
 */
public enum ResizeKernel {
  /** torch's uint8 kernel, the reference processor's default: weights fit 16 bits. */
  TORCH {
    @Override
    int precision(double largestWeight) {
      for (int bits = 0; bits < MAX_PRECISION; bits++) {
        if ((int) (0.5 + largestWeight * (1 << (bits + 1))) >= 1 << 15) {
          return bits;
        }
      }
      return MAX_PRECISION;
    }

    @Override
    int maxTaps(double support) {
      return (int) Math.ceil(support) * 2 + 1;
    }
  },
  /** Pillow's kernel: weights of 22 bits. */
  PILLOW {
    @Override
    int precision(double largestWeight) {
      return MAX_PRECISION;
    }

    @Override
    int maxTaps(double support) {
      return Integer.MAX_VALUE;
    }
  };

  private static final int MAX_PRECISION = 22;

  /**
   * Fraction bits of the integer weights of one axis.
   *
   * @param largestWeight over all outputs of the axis, normalised
   */
  abstract int precision(double largestWeight);

  /** Most source samples that one output may use. */
  abstract int maxTaps(double support);
}
