package io.stoker.preprocess.vision;

import java.io.Serializable;

/**
 * The patch grid of one image after resizing.
 *
 * @param height patches per column ({@code gh}), even
 * @param width patches per row ({@code gw}), even
 */
public record Grid(int height, int width) implements Serializable {
  public Grid {
    if (height < 2 || width < 2 || height % 2 != 0 || width % 2 != 0) {
      throw new IllegalArgumentException(
          "expected a patch grid with even sides, found %dx%d".formatted(height, width));
    }
  }

  /** Patches of the image: {@code gh * gw}. */
  public int patches() {
    return Math.multiplyExact(height, width);
  }

  /** Placeholder tokens of the image: patches / merge², with merge 2. */
  public int tokens() {
    return patches() / 4;
  }
}
