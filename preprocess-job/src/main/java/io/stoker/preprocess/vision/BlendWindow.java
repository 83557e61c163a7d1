package io.stoker.preprocess.vision;

/**
 * What {@link ResizeLoops#blend} sums: four windows on a ring of planes, each with its own weights.
 * Mutable, to be filled again for every call without allocation.
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
