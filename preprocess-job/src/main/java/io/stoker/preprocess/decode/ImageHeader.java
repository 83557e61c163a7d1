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

  /**
   * Reads the header and applies every limit of the settings.
   *
   * @param data the whole file; not changed, not kept
   * @throws SampleRejectedException if this is no image that may be decoded
   */
  public static ImageHeader read(byte[] data, DecodeSettings settings)
      throws SampleRejectedException {
    if (data.length > settings.maxEncodedBytes()) {
      throw new SampleRejectedException(
          RejectReason.IMAGE_TOO_LARGE,
          "expected at most %d encoded bytes, found %d"
              .formatted(settings.maxEncodedBytes(), data.length));
    }
    ImageFormat format = FormatSniffer.sniff(Bytes.of(data, "file"));
    if (!settings.formats().contains(format)) {
      throw Reject.unsupported(
          "expected one of %s, found %s"
              .formatted(settings.formats().stream().sorted().toList(), format));
    }
    Bytes file = Bytes.of(data, format + " file");
    Limits limits = new Limits(settings.maxPixels());
    ImageHeader header =
        switch (format) {
          case JPEG -> JpegHeader.parse(file, limits);
          case PNG -> PngHeader.parse(file, limits);
          case WEBP -> WebpHeader.parse(file, limits);
          case GIF -> GifFrame.parse(file, limits).header();
          case BMP -> BmpHeader.parse(file, limits);
        };
    return settings.applyExifOrientation() ? header : header.upright();
  }

  /** Pixels per row after the orientation is applied. */
  public int displayedWidth() {
    return orientation >= FIRST_TRANSPOSED ? height : width;
  }

  /** Rows after the orientation is applied. */
  public int displayedHeight() {
    return orientation >= FIRST_TRANSPOSED ? width : height;
  }

  private ImageHeader upright() {
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
      // Each side is at most 2^31, so that the product fits.
      if (width * height > maxPixels) {
        throw new SampleRejectedException(
            RejectReason.TOO_MANY_PIXELS,
            "expected at most %d pixels, found a %s of %dx%d"
                .formatted(maxPixels, format, width, height));
      }
    }
  }
}
