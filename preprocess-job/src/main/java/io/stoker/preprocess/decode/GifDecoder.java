package io.stoker.preprocess.decode;

import io.stoker.preprocess.reject.SampleRejectedException;
import java.nio.ByteBuffer;

/**
 * The first frame of a GIF as RGB.
 *
 * <p>OpenCV blends transparent pixels, refuses frames outside the screen and files without a
 * trailer; Pillow shows the palette colour, grows the canvas and reads on. This decoder does as
 * Pillow does.
 */
final class GifDecoder {
  private static final int COLOURS = 256;
  private static final int[][] PASSES = {{0, 8}, {4, 8}, {2, 4}, {1, 2}};
  private static final int[][] ONE_PASS = {{0, 1}};

  private GifDecoder() {}

  /**
   * Fills {@code pixels} with the whole canvas.
   *
   * @param pixels at least {@code 3 * canvasWidth * canvasHeight} bytes, rows without gaps
   */
  static void decode(Bytes file, ImageHeader header, GifFrame frame, ByteBuffer pixels)
      throws SampleRejectedException {
    if (frame.canvasWidth() != header.width() || frame.canvasHeight() != header.height()) {
      throw Reject.corrupt(
          "expected a GIF of %dx%d, found %dx%d"
              .formatted(
                  header.width(), header.height(), frame.canvasWidth(), frame.canvasHeight()));
    }
    byte[] colours = colours(frame);
    fill(frame, colours, pixels);
    LzwReader indices = new LzwReader(file, frame.dataOffset(), frame.codeSize());
    byte[] row = new byte[3 * frame.width()];
    for (int[] pass : frame.interlaced() ? PASSES : ONE_PASS) {
      for (int y = pass[0]; y < frame.height(); y += pass[1]) {
        for (int i = 0; i < row.length; i += 3) {
          int colour = 3 * indices.read();
          row[i] = colours[colour];
          row[i + 1] = colours[colour + 1];
          row[i + 2] = colours[colour + 2];
        }
        pixels.put(3 * ((frame.y() + y) * frame.canvasWidth() + frame.x()), row);
      }
    }
  }

  /** 256 colours: black beyond the palette, shades of gray without one. */
  private static byte[] colours(GifFrame frame) {
    byte[] colours = new byte[3 * COLOURS];
    Bytes palette = frame.palette();
    if (palette != null) {
      System.arraycopy(palette.array(), palette.from(), colours, 0, palette.length());
      return colours;
    }
    for (int i = 0; i < colours.length; i++) {
      colours[i] = (byte) (i / 3);
    }
    return colours;
  }

  private static void fill(GifFrame frame, byte[] colours, ByteBuffer pixels) {
    if (frame.width() == frame.canvasWidth() && frame.height() == frame.canvasHeight()) {
      return;
    }
    byte[] row = new byte[3 * frame.canvasWidth()];
    for (int i = 0; i < row.length; i++) {
      row[i] = colours[3 * frame.transparent() + i % 3];
    }
    for (int y = 0; y < frame.canvasHeight(); y++) {
      pixels.put(y * row.length, row);
    }
  }
}
