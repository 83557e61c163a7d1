package io.stoker.preprocess.decode;

import io.stoker.preprocess.reject.SampleRejectedException;
import java.util.Set;

/**
 * The file and information headers of a BMP.
 *
 * <p>16-bit and run-length coded files are refused: OpenCV scales 5-bit channels and fills skipped
 * pixels differently from Pillow, and they are too rare to decode them here.
 */
final class BmpHeader {
  private static final int FILE_HEADER = 14;
  private static final int CORE_HEADER = 12;
  private static final Set<Long> HEADERS = Set.of(12L, 40L, 52L, 56L, 64L, 108L, 124L);
  private static final int ALPHA_HEADER = 56;
  private static final int MASKS = FILE_HEADER + 40;
  private static final int RAW = 0;
  private static final int BITFIELDS = 3;

  private record Masks(long red, long green, long blue, long alpha) {}

  private static final Set<Masks> KNOWN_MASKS =
      Set.of(
          new Masks(0xFF_0000L, 0xFF00L, 0xFFL, 0),
          new Masks(0xFF_0000L, 0xFF00L, 0xFFL, 0xFF00_0000L),
          new Masks(0xFFL, 0xFF00L, 0xFF_0000L, 0xFF00_0000L),
          new Masks(0xFF00_0000L, 0xFF_0000L, 0xFF00L, 0xFFL));

  private BmpHeader() {}

  static ImageHeader parse(Bytes file, ImageHeader.Limits limits) throws SampleRejectedException {
    long size = file.u32(FILE_HEADER, false);
    boolean core = size == CORE_HEADER;
    if (!HEADERS.contains(size)) {
      throw Reject.unsupported("expected a BMP header of a known size, found %d".formatted(size));
    }
    Bytes info = file.slice(FILE_HEADER, size, "BMP header");
    long width = core ? info.u16(4, false) : (int) info.u32(4, false);
    // A negative height says that rows run from top to bottom.
    long height = core ? info.u16(6, false) : Math.abs((long) (int) info.u32(8, false));
    int bits = core ? info.u16(10, false) : info.u16(14, false);
    long compression = core ? RAW : info.u32(16, false);
    limits.check(ImageFormat.BMP, width, height);
    boolean knownFields = compression == BITFIELDS && bits == 32 && hasKnownMasks(file, size);
    if (compression != RAW && !knownFields) {
      throw Reject.unsupported(
          "expected an uncompressed BMP, found compression %d at %d bits per pixel"
              .formatted(compression, bits));
    }
    long pixels = file.u32(10, false);
    if (pixels < FILE_HEADER + size) {
      throw Reject.corrupt(
          "expected BMP pixels after the header of %d bytes, found offset %d"
              .formatted(FILE_HEADER + size, pixels));
    }
    long rows = (width * bits + 31) / 32 * 4 * height;
    if (pixels > file.length() || rows > file.length() - pixels) {
      throw Reject.corrupt(
          "expected %d bytes of BMP pixels at offset %d, found the end at %d"
              .formatted(rows, pixels, file.length()));
    }
    return switch (bits) {
      case 1, 4, 8 -> header(width, height, 1, bits);
      case 24 -> header(width, height, 3, 8);
      case 32 -> header(width, height, 4, 8);
      default ->
          throw Reject.unsupported(
              "expected a BMP of 1, 4, 8, 24 or 32 bits per pixel, found " + bits);
    };
  }

  /** Layouts of 32 bits that OpenCV and Pillow read alike. */
  private static boolean hasKnownMasks(Bytes file, long headerSize) throws SampleRejectedException {
    Masks masks =
        new Masks(
            file.u32(MASKS, false),
            file.u32(MASKS + 4, false),
            file.u32(MASKS + 8, false),
            headerSize >= ALPHA_HEADER ? file.u32(MASKS + 12, false) : 0);
    return KNOWN_MASKS.contains(masks);
  }

  private static ImageHeader header(long width, long height, int components, int bits) {
    return new ImageHeader(
        ImageFormat.BMP, (int) width, (int) height, components, bits, Exif.UPRIGHT);
  }
}
