package io.stoker.preprocess.sample;

import java.io.Serializable;
import java.time.Duration;

/**
 * What one sample may cost.
 *
 * @param maxImages most images
 * @param maxTime longest work, fetching aside; looked at between images and stages, so that one
 *     image may exceed it
 */
public record SampleLimits(int maxImages, Duration maxTime) implements Serializable {
  /** 1000 images, 5 minutes. */
  public static final SampleLimits DEFAULTS = new SampleLimits(1000, Duration.ofMinutes(5));

  public SampleLimits {
    if (maxImages < 1 || maxTime.isNegative()) {
      throw new IllegalArgumentException(
          "expected maxImages >= 1 and maxTime >= 0, found %d and %s"
              .formatted(maxImages, maxTime));
    }
  }
}
