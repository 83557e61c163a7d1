package io.stoker.preprocess.pack;

import java.io.Serializable;

/**
 * How samples are packed.
 *
 * @param enabled false gives one pack per sample
 * @param maxTokens most tokens of a pack, and of a sample
 * @param window most samples that wait for a fitting pack
 * @param windowBytes most bytes (encoded images and text) that wait
 */
public record PackSettings(boolean enabled, int maxTokens, int window, long windowBytes)
    implements Serializable {
  public PackSettings {
    if (maxTokens < 1 || window < 1 || windowBytes < 1) {
      throw new IllegalArgumentException(
          "expected positive limits, found max-tokens %d, window %d, window-bytes %d"
              .formatted(maxTokens, window, windowBytes));
    }
  }
}
