package io.stoker.preprocess.it;

import io.stoker.format.ElementType;
import io.stoker.index.ValueTable;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/**
 * One sample, cut out of its pack and copied.
 *
 * @param inputIds int64, little-endian
 * @param labels likewise
 * @param positionIds likewise, {@code [3][L]}
 * @param grids rows of t, h, w
 * @param pixels patches as stored
 */
record FinishedSample(
    byte[] inputIds, byte[] labels, byte[] positionIds, List<List<Long>> grids, byte[] pixels) {
  private static final int PLANE = 16 * 16;
  private static final long NOT_TRAINED = -100;

  int tokens() {
    return inputIds.length / Long.BYTES;
  }

  long supervisedTokens() {
    ByteBuffer values = ByteBuffer.wrap(labels).order(ByteOrder.LITTLE_ENDIAN);
    long count = 0;
    while (values.hasRemaining()) {
      if (values.getLong() != NOT_TRAINED) {
        count++;
      }
    }
    return count;
  }

  long patches() {
    return grids.stream().mapToLong(grid -> grid.get(0) * grid.get(1) * grid.get(2)).sum();
  }

  /**
   * What another dataset must store for this sample, whose own pixels are raw and of one slot.
   *
   * @param slots copies of each plane: the order of a patch's values is c, t, py, px
   */
  byte[] pixels(ValueTable table, ElementType type, int slots) {
    ByteBuffer out =
        ByteBuffer.allocate(pixels.length * slots * type.bytes()).order(ByteOrder.LITTLE_ENDIAN);
    for (int plane = 0; plane < pixels.length / PLANE; plane++) {
      for (int slot = 0; slot < slots; slot++) {
        for (int i = plane * PLANE; i < (plane + 1) * PLANE; i++) {
          put(
              out,
              type,
              pixels[i] & 0xFF,
              table.value(plane % ValueTable.CHANNELS, pixels[i] & 0xFF));
        }
      }
    }
    return out.array();
  }

  private static void put(ByteBuffer out, ElementType type, int raw, float value) {
    switch (type) {
      case UINT8 -> out.put((byte) raw);
      case FLOAT32 -> out.putFloat(value);
      case BFLOAT16 -> {
        int bits = Float.floatToRawIntBits(value);
        // To the nearest, ties to even, as torch rounds.
        out.putShort((short) ((bits + 0x7FFF + (bits >>> 16 & 1)) >>> 16));
      }
      default -> throw new IllegalArgumentException("no pixels are stored as " + type);
    }
  }
}
