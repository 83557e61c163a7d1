package io.stoker.preprocess.decode;

import io.stoker.preprocess.reject.RejectReason;
import io.stoker.preprocess.reject.SampleRejectedException;

/**
 * What an encoded image says about itself, read without decoding a pixel.
 *
 * @param format told by the first bytes
 * @param width pixels per row as stored, at least 1
 * @param height rows as stored, at least 1
 * @param components channels as stored: 1 also for a palette
 * @param bitDepth bits per channel, or per palette index
 * @param orientation the EXIF orientation to apply, 1 to 8; 1 where it is absent, broken or
 *     switched off
 */
public record ImageHeader(
    ImageFormat format, int width, int height, int components, int bitDepth, int orientation) {
  private static final int FIRST_TRANSPOSED = 5;

  public ImageHeader {
    if (width < 1 || height < 1) {
      throw new IllegalArgumentException(
          "expected sides of at least 1, found %dx%d".formatted(width, height));
    }
    if (orientation < 1 || orientation > 8) {
      throw new IllegalArgumentException("expected orientation 1 to 8, found " + orientation);
    }
  }

  /** Pixels per row after the orientation is applied. */
  public int displayedWidth() {
    return orientation >= FIRST_TRANSPOSED ? height : width;
  }

  /** Rows after the orientation is applied. */
  public int displayedHeight() {
    return orientation >= FIRST_TRANSPOSED ? width : height;
  }

  /** The same picture with its orientation ignored. */
  ImageHeader upright() {
    return new ImageHeader(format, width, height, components, bitDepth, Exif.UPRIGHT);
  }

  /**
   * The check that stands between a claimed size and an allocation.
   *
   * @param maxPixels width times height
   */
  record Limits(long maxPixels) {
    void check(ImageFormat format, long width, long height) throws SampleRejectedException {
      if (width < 1 || height < 1) {
        throw Reject.corrupt(
            "expected sides of at least 1 pixel, found a %s of %dx%d"
                .formatted(format, width, height));
      }
      // A header in text may name sides whose product does not fit.
      if (width > Integer.MAX_VALUE || height > Integer.MAX_VALUE || width * height > maxPixels) {
        throw new SampleRejectedException(
            RejectReason.TOO_MANY_PIXELS,
            "expected at most %d pixels, found a %s of %dx%d"
                .formatted(maxPixels, format, width, height));
      }
    }
  }
}
