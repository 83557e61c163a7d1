package io.stoker.preprocess.decode;

import io.stoker.preprocess.reject.SampleRejectedException;
import org.jspecify.annotations.Nullable;

/**
 * The segments of a JPEG up to its first scan.
 *
 * <p>Only Huffman-coded frames of 8 bits and 1, 3 or 4 components pass: arithmetic, lossless and
 * 12-bit frames would reach parts of libjpeg-turbo that photographs never reach.
 */
final class JpegHeader {
  private static final int SOI = 0xD8;
  private static final int EOI = 0xD9;
  private static final int SOS = 0xDA;
  private static final int APP1 = 0xE1;
  private static final int JPEG_LS = 0xF7;
  private static final String XMP = "http://ns.adobe.com/xap/1.0/\0";

  private final Bytes file;
  private final ImageHeader.Limits limits;
  private @Nullable Frame frame;
  private int exif = Exif.ABSENT;
  private int xmp = Exif.ABSENT;
  private boolean exifSeen;

  private record Frame(int width, int height, int components) {}

  private JpegHeader(Bytes file, ImageHeader.Limits limits) {
    this.file = file;
    this.limits = limits;
  }

  static ImageHeader parse(Bytes file, ImageHeader.Limits limits) throws SampleRejectedException {
    JpegHeader parser = new JpegHeader(file, limits);
    long scan = parser.segments();
    Frame frame = parser.frame;
    if (frame == null) {
      throw Reject.corrupt("expected a JPEG frame before the scan at offset " + scan);
    }
    int orientation = Exif.choose(parser.exif, parser.xmp);
    return new ImageHeader(
        ImageFormat.JPEG, frame.width, frame.height, frame.components, 8, orientation);
  }

  /**
   * The offset of the marker of the first scan.
   *
   * <p>This walks the segments a second time. The header was read before the image waited for its
   * pack, and a second walk costs little beside decoding.
   */
  static long firstScan(Bytes file) throws SampleRejectedException {
    return new JpegHeader(file, new ImageHeader.Limits(Long.MAX_VALUE)).segments();
  }

  /** Walks the segments and returns the offset of the first scan's marker. */
  private long segments() throws SampleRejectedException {
    long at = 2;
    while (true) {
      at = nextMarker(file, at);
      int marker = file.u8(at + 1);
      if (marker == SOS) {
        return at;
      }
      if (isBare(marker)) {
        at += 2;
        continue;
      }
      if (marker == SOI || marker == EOI || marker < 0xC0) {
        throw Reject.corrupt(
            "expected a JPEG segment at offset %d, found marker %02x".formatted(at, marker));
      }
      int length = file.u16(at + 2, true);
      if (length < 2) {
        throw Reject.corrupt(
            "expected a JPEG segment of at least 2 bytes at offset %d, found %d"
                .formatted(at, length));
      }
      segment(marker, file.slice(at + 4, length - 2, "JPEG segment"));
      at += 2 + length;
    }
  }

  /** The offset of the 0xFF directly before the next marker code; other bytes are skipped. */
  static long nextMarker(Bytes file, long start) throws SampleRejectedException {
    long at = file.indexOf(0xFF, start);
    while (at >= 0 && at + 1 < file.length()) {
      int code = file.u8(at + 1);
      if (code != 0xFF && code != 0) {
        return at;
      }
      at = file.indexOf(0xFF, code == 0 ? at + 2 : at + 1);
    }
    throw Reject.corrupt(
        "expected another JPEG marker after offset %d, found the end of the file at %d"
            .formatted(start, file.length()));
  }

  /** Whether the marker stands alone, without a length: TEM and the restart markers. */
  static boolean isBare(int marker) {
    return marker == 0x01 || (marker >= 0xD0 && marker <= 0xD7);
  }

  private void segment(int marker, Bytes body) throws SampleRejectedException {
    if (marker == APP1) {
      // As in Pillow, the first EXIF block and the last XMP packet count.
      if (body.has(0, "Exif\0\0") && !exifSeen) {
        exifSeen = true;
        exif = Exif.orientation(body);
      } else if (body.has(0, XMP)) {
        xmp = Exif.xmpOrientation(body);
      }
    } else if (isFrame(marker)) {
      if (frame != null) {
        throw Reject.corrupt("expected one JPEG frame, found a second one");
      }
      frame = frame(marker, body);
    }
  }

  private static boolean isFrame(int marker) {
    boolean tables = marker == 0xC4 || marker == 0xCC; // DHT and DAC lie between the frame markers
    return marker == JPEG_LS || (marker >= 0xC0 && marker <= 0xCF && !tables);
  }

  private Frame frame(int marker, Bytes body) throws SampleRejectedException {
    String coding =
        switch (marker) {
          case 0xC0, 0xC1, 0xC2 -> "";
          case 0xC3 -> "lossless";
          case 0xC5, 0xC6, 0xC7 -> "hierarchical";
          case 0xC9, 0xCA, 0xCB, 0xCD, 0xCE, 0xCF -> "arithmetic-coded";
          case JPEG_LS -> "JPEG-LS";
          default -> "reserved";
        };
    if (!coding.isEmpty()) {
      throw Reject.unsupported(
          "expected a Huffman-coded DCT JPEG, found one that is %s (marker %02x)"
              .formatted(coding, marker));
    }
    int bits = body.u8(0);
    if (bits != 8) {
      throw Reject.unsupported("expected a JPEG of 8 bits per sample, found " + bits);
    }
    int components = body.u8(5);
    if (components != 1 && components != 3 && components != 4) {
      throw Reject.unsupported("expected a JPEG of 1, 3 or 4 components, found " + components);
    }
    int height = body.u16(1, true);
    int width = body.u16(3, true);
    limits.check(ImageFormat.JPEG, width, height);
    return new Frame(width, height, components);
  }
}
