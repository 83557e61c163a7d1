package io.stoker.preprocess.vision;

import io.stoker.preprocess.decode.RgbImage;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The rows of a decoded picture: R, G, B interleaved. */
final class SourceRows implements PackedRows {
  private final ByteBuffer pixels;
  private final int rowStride;
  private final int rowBytes;
  private int y;

  SourceRows(RgbImage image) {
    pixels = image.pixels().duplicate().clear();
    rowStride = image.rowStride();
    rowBytes = 3 * image.width();
  }

  @Override
  public void read(int[] row) {
    int at = Math.multiplyExact(y++, rowStride);
    int whole = rowBytes / 4;
    pixels.slice(at, rowBytes).order(ByteOrder.LITTLE_ENDIAN).asIntBuffer().get(row, 0, whole);
    int rest = 0;
    for (int i = rowBytes - 1; i >= 4 * whole; i--) {
      rest = (rest << 8) | (pixels.get(at + i) & 0xff);
    }
    if (rowBytes % 4 != 0) {
      row[whole] = rest;
    }
  }
}
