package io.stoker.preprocess.vision;

import static io.stoker.preprocess.vision.VisionSettings.MERGE;

import java.io.Serializable;

/**
 * The patch grid of one image after resizing.
 *
 * @param height patches per column ({@code gh}), even
 * @param width patches per row ({@code gw}), even
 */
public record Grid(int height, int width) implements Serializable {
  /** Patches that the model merges into one token. */
  public static final int PATCHES_PER_TOKEN = MERGE * MERGE;

  public Grid {
    if (height < MERGE || width < MERGE || height % MERGE != 0 || width % MERGE != 0) {
      throw new IllegalArgumentException(
          "expected a patch grid with even sides, found %dx%d".formatted(height, width));
    }
  }

  /** Patches of the image: {@code gh * gw}. */
  public int patches() {
    return Math.multiplyExact(height, width);
  }

  /** Placeholder tokens of the image. */
  public int tokens() {
    return patches() / PATCHES_PER_TOKEN;
  }
}
