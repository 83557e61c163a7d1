package io.stoker.preprocess.decode;

import io.stoker.preprocess.reject.RejectReason;
import io.stoker.preprocess.reject.SampleRejectedException;

/** Reads the header of an image of any format. */
public final class ImageHeaders {
  private ImageHeaders() {}

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
    ImageHeader header = parse(format, file, new ImageHeader.Limits(settings.maxPixels()));
    return settings.applyExifOrientation() ? header : header.upright();
  }

  /**
   * A parser checks the sides against the limits before it returns, and refuses what Pillow would
   * refuse.
   */
  private static ImageHeader parse(ImageFormat format, Bytes file, ImageHeader.Limits limits)
      throws SampleRejectedException {
    return switch (format) {
      case JPEG -> JpegHeader.parse(file, limits);
      case PNG -> PngHeader.parse(file, limits);
      case WEBP -> WebpHeader.parse(file, limits);
      case GIF -> GifFrame.parse(file, limits).header();
      case BMP -> BmpHeader.parse(file, limits);
    };
  }
}
