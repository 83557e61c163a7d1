package io.stoker.preprocess.decode;

import io.stoker.preprocess.reject.SafeText;
import io.stoker.preprocess.reject.SampleRejectedException;

/** The RIFF chunks of a WebP: VP8, VP8L, or VP8X with its canvas and metadata. */
final class WebpHeader {
  private static final int RIFF_HEADER = 8;
  private static final int FIRST_CHUNK = 12;
  private static final int CHUNK_HEADER = 8;
  private static final int FLAG_XMP = 0x04;
  private static final int FLAG_EXIF = 0x08;
  private static final int FLAG_ALPHA = 0x10;

  private WebpHeader() {}

  static ImageHeader parse(Bytes whole, ImageHeader.Limits limits) throws SampleRejectedException {
    long size = whole.u32(4, false);
    if (size > whole.length() - (long) RIFF_HEADER) {
      throw Reject.corrupt(
          "expected %d bytes of WebP, found %d".formatted(size + RIFF_HEADER, whole.length()));
    }
    // Bytes behind the size that RIFF states are no part of the image.
    Bytes file = whole.slice(0, size + RIFF_HEADER, "WEBP file");
    Bytes body = chunkBody(file, FIRST_CHUNK);
    return switch (file.tag(FIRST_CHUNK)) {
      case "VP8 " -> lossy(body, limits);
      case "VP8L" -> lossless(body, limits);
      case "VP8X" -> extended(file, body, limits);
      default ->
          throw Reject.corrupt(
              "expected a VP8, VP8L or VP8X chunk first, found "
                  + SafeText.ascii(file.tag(FIRST_CHUNK)));
    };
  }

  private static ImageHeader lossy(Bytes body, ImageHeader.Limits limits)
      throws SampleRejectedException {
    if (!body.has(3, "\u009D\u0001*")) {
      throw Reject.corrupt("expected a VP8 key frame, found no start code");
    }
    return header(body.u16(6, false) & 0x3FFF, body.u16(8, false) & 0x3FFF, 3, 1, limits);
  }

  private static ImageHeader lossless(Bytes body, ImageHeader.Limits limits)
      throws SampleRejectedException {
    if (body.u8(0) != 0x2F) {
      throw Reject.corrupt("expected a VP8L signature, found byte " + body.u8(0));
    }
    long bits = body.u32(1, false);
    int components = (bits >> 28 & 1) == 1 ? 4 : 3;
    return header((bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1, components, 1, limits);
  }

  private static ImageHeader extended(Bytes file, Bytes canvas, ImageHeader.Limits limits)
      throws SampleRejectedException {
    int flags = canvas.u8(0);
    long width = canvas.u24Little(4) + 1L;
    long height = canvas.u24Little(7) + 1L;
    limits.check(ImageFormat.WEBP, width, height);
    boolean picture = false;
    boolean exifSeen = false;
    boolean xmpSeen = false;
    int exif = Exif.ABSENT;
    int xmp = Exif.ABSENT;
    long at = FIRST_CHUNK;
    while (at + CHUNK_HEADER <= file.length()) {
      Bytes body = chunkBody(file, at);
      switch (file.tag(at)) {
        case "VP8 ", "VP8L", "ANMF" -> picture = true;
        case "EXIF" -> {
          if (!exifSeen && (flags & FLAG_EXIF) != 0) {
            exifSeen = true;
            exif = Exif.orientation(body);
          }
        }
        case "XMP " -> {
          if (!xmpSeen && (flags & FLAG_XMP) != 0) {
            xmpSeen = true;
            xmp = Exif.xmpOrientation(body);
          }
        }
        default -> {}
      }
      at += CHUNK_HEADER + body.length() + (body.length() & 1);
    }
    if (!picture) {
      throw Reject.corrupt("expected a picture in the WebP, found none");
    }
    int components = (flags & FLAG_ALPHA) != 0 ? 4 : 3;
    return header(width, height, components, Exif.choose(exif, xmp), limits);
  }

  private static Bytes chunkBody(Bytes file, long at) throws SampleRejectedException {
    return file.slice(at + CHUNK_HEADER, file.u32(at + 4, false), "WebP chunk");
  }

  private static ImageHeader header(
      long width, long height, int components, int orientation, ImageHeader.Limits limits)
      throws SampleRejectedException {
    limits.check(ImageFormat.WEBP, width, height);
    return new ImageHeader(ImageFormat.WEBP, (int) width, (int) height, components, 8, orientation);
  }
}
