package io.stoker.preprocess.decode;

import io.stoker.preprocess.reject.SampleRejectedException;
import org.jspecify.annotations.Nullable;

/**
 * The first frame of a GIF, as Pillow lays it out: the canvas is the logical screen, grown where
 * the frame reaches beyond it.
 *
 * @param canvasWidth pixels per row of the picture
 * @param canvasHeight rows of the picture
 * @param x left edge of the frame on the canvas
 * @param y upper edge of the frame on the canvas
 * @param width pixels per row of the frame
 * @param height rows of the frame
 * @param palette r g b per entry; {@code null} where neither a local nor a global one exists
 * @param transparent the index that fills the canvas outside the frame, or 0 where none is marked
 * @param interlaced whether rows come in four passes
 * @param codeSize bits of a literal in the LZW data
 * @param dataOffset where the sub-blocks of LZW data start in the file
 */
record GifFrame(
    int canvasWidth,
    int canvasHeight,
    int x,
    int y,
    int width,
    int height,
    @Nullable Bytes palette,
    int transparent,
    boolean interlaced,
    int codeSize,
    long dataOffset) {
  private static final int SCREEN_DESCRIPTOR = 13;
  private static final int FRAME_DESCRIPTOR = 9;
  private static final int FLAG_PALETTE = 0x80;
  private static final int FLAG_INTERLACED = 0x40;
  private static final int GRAPHIC_CONTROL = 0xF9;

  ImageHeader header() {
    return new ImageHeader(ImageFormat.GIF, canvasWidth, canvasHeight, 1, 8, Exif.UPRIGHT);
  }

  static GifFrame parse(Bytes file, ImageHeader.Limits limits) throws SampleRejectedException {
    int flags = file.u8(10);
    long at = SCREEN_DESCRIPTOR;
    Bytes palette = null;
    if ((flags & FLAG_PALETTE) != 0) {
      palette = palette(file, at, flags);
      at += palette.length();
    }
    int transparent = 0;
    while (true) {
      int introducer = file.u8(at++);
      switch (introducer) {
        case ';' -> throw Reject.corrupt("expected a frame in the GIF, found its end");
        case '!' -> {
          transparent = graphicControl(file, at, transparent);
          at = skipSubBlocks(file, at + 1);
        }
        case ',' -> {
          return frame(file, at, palette, transparent, limits);
        }
        default -> {} // Pillow skips stray bytes between blocks
      }
    }
  }

  private static Bytes palette(Bytes file, long at, int flags) throws SampleRejectedException {
    return file.slice(at, 3L << ((flags & 7) + 1), "GIF file");
  }

  private static boolean isRamp(Bytes palette) throws SampleRejectedException {
    for (int i = 0; i < palette.length(); i++) {
      if (palette.u8(i) != i / 3) {
        return false;
      }
    }
    return true;
  }

  private static int graphicControl(Bytes file, long at, int before)
      throws SampleRejectedException {
    boolean control = file.u8(at) == GRAPHIC_CONTROL && file.u8(at + 1) > 0;
    return control && (file.u8(at + 2) & 1) != 0 ? file.u8(at + 5) : before;
  }

  private static long skipSubBlocks(Bytes file, long start) throws SampleRejectedException {
    long at = start;
    while (file.u8(at) != 0) {
      at += 1 + file.u8(at);
    }
    return at + 1;
  }

  private static GifFrame frame(
      Bytes file, long at, @Nullable Bytes global, int transparent, ImageHeader.Limits limits)
      throws SampleRejectedException {
    int x = file.u16(at, false);
    int y = file.u16(at + 2, false);
    int width = file.u16(at + 4, false);
    int height = file.u16(at + 6, false);
    int flags = file.u8(at + 8);
    limits.check(ImageFormat.GIF, width, height);
    int canvasWidth = Math.max(file.u16(6, false), x + width);
    int canvasHeight = Math.max(file.u16(8, false), y + height);
    limits.check(ImageFormat.GIF, canvasWidth, canvasHeight);
    long data = at + FRAME_DESCRIPTOR;
    Bytes palette = global;
    if ((flags & FLAG_PALETTE) != 0) {
      Bytes local = palette(file, data, flags);
      data += local.length();
      // Pillow takes a palette that maps every index to itself for no palette.
      palette = isRamp(local) ? global : local;
    }
    int codeSize = file.u8(data);
    boolean interlaced = (flags & FLAG_INTERLACED) != 0;
    return new GifFrame(
        canvasWidth,
        canvasHeight,
        x,
        y,
        width,
        height,
        palette,
        transparent,
        interlaced,
        codeSize,
        data + 1);
  }
}
