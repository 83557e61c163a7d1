package io.stoker.preprocess.decode;

import java.io.Serializable;
import java.util.EnumSet;
import java.util.Set;

/**
 * What may be decoded and how.
 *
 * <p>A decoder's native memory peaks at some 12 bytes per pixel: 3 for the picture, 3 more if it is
 * turned, and 6 that libjpeg holds for a progressive file.
 *
 * @param maxPixels pixels (width times height) above which an image is refused, at most {@link
 *     #PIXELS_ADDRESSABLE}
 * @param maxEncodedBytes encoded bytes above which an image is refused, at most {@link
 *     Integer#MAX_VALUE}
 * @param applyExifOrientation whether the picture is turned the way its EXIF data say, as Hugging
 *     Face transformers 4.57 does; transformers 5.17 and later do not
 * @param formats the allow list
 */
public record DecodeSettings(
    long maxPixels, long maxEncodedBytes, boolean applyExifOrientation, Set<ImageFormat> formats)
    implements Serializable {
  /** Twice Pillow's {@code MAX_IMAGE_PIXELS}: above it, Pillow raises. */
  public static final long PILLOW_MAX_PIXELS = 2L * 89_478_485;

  /** Pixels whose RGB bytes one {@link java.nio.ByteBuffer} can address. */
  public static final long PIXELS_ADDRESSABLE = Integer.MAX_VALUE / 3;

  private static final long DEFAULT_MAX_ENCODED_BYTES = 256L << 20;

  public DecodeSettings {
    if (maxPixels < 1 || maxPixels > PIXELS_ADDRESSABLE) {
      throw new IllegalArgumentException(
          "expected a pixel limit of 1 to %d, found %d".formatted(PIXELS_ADDRESSABLE, maxPixels));
    }
    if (maxEncodedBytes < 1 || maxEncodedBytes > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          "expected a limit of 1 to %d encoded bytes, found %d"
              .formatted(Integer.MAX_VALUE, maxEncodedBytes));
    }
    formats = Set.copyOf(formats);
  }

  /** Pillow's pixel limit, 256 MiB of encoded bytes, EXIF orientation applied, every format. */
  public static DecodeSettings defaults() {
    return new DecodeSettings(
        PILLOW_MAX_PIXELS, DEFAULT_MAX_ENCODED_BYTES, true, EnumSet.allOf(ImageFormat.class));
  }
}
