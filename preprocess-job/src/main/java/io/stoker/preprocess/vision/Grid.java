package io.stoker.preprocess.vision;

/**
 * The patch grid of one image after resizing.
 *
 * @param height patches per column ({@code gh}), even
 * @param width patches per row ({@code gw}), even
 */
public record Grid(int height, int width) {
  /** Patches of the image: {@code gh * gw}. */
  public int patches() {
    return Math.multiplyExact(height, width);
  }

  /** Placeholder tokens of the image: patches / merge², with merge 2. */
  public int tokens() {
    return patches() / 4;
  }
}
