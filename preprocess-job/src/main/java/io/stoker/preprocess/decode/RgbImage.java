package io.stoker.preprocess.decode;

import java.nio.ByteBuffer;

/**
 * A decoded picture: 8-bit RGB, rows from top to bottom, three bytes per pixel.
 *
 * <p>The pixels may be native memory that the next decode overwrites: use them before that.
 *
 * @param width pixels per row, at least 1
 * @param height rows, at least 1
 * @param rowStride bytes from one row to the next, at least {@code 3 * width}
 * @param pixels row {@code y} starts at index {@code y * rowStride}; position and limit are not
 *     used
 */
public record RgbImage(int width, int height, int rowStride, ByteBuffer pixels) {
  public RgbImage {
    if (width < 1 || height < 1 || rowStride < 3L * width) {
      throw new IllegalArgumentException(
          "expected a picture of at least 1x1 with whole rows, found %dx%d with row stride %d"
              .formatted(width, height, rowStride));
    }
    long needed = (long) rowStride * (height - 1) + 3L * width;
    if (pixels.capacity() < needed) {
      throw new IllegalArgumentException(
          "expected %d bytes of pixels for %dx%d, found %d"
              .formatted(needed, width, height, pixels.capacity()));
    }
  }
}
