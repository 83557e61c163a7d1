package io.stoker.index;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * The float value that the model's processor gives to each raw pixel value, per channel: {@code
 * float[3][256]}. Immutable.
 */
public final class ValueTable {
  /** Channels: red, green, blue. */
  public static final int CHANNELS = 3;

  /** Values a raw pixel can have. */
  public static final int VALUES = 256;

  private final float[][] values;

  private ValueTable(float[][] values) {
    this.values = values;
  }

  /**
   * Copies a table.
   *
   * @param values {@code [3][256]}, all finite
   */
  public static ValueTable of(float[][] values) {
    if (values.length != CHANNELS) {
      throw new IllegalArgumentException(
          "value table: expected 3 channels, found " + values.length);
    }
    float[][] copy = new float[CHANNELS][];
    for (int channel = 0; channel < CHANNELS; channel++) {
      copy[channel] = values[channel].clone();
      if (copy[channel].length != VALUES) {
        throw new IllegalArgumentException(
            "value table: expected 256 values, found " + copy[channel].length);
      }
      for (float value : copy[channel]) {
        if (!Float.isFinite(value)) {
          throw new IllegalArgumentException("value table: expected numbers, found " + value);
        }
      }
    }
    return new ValueTable(copy);
  }

  /**
   * The value of one pixel.
   *
   * @param channel 0, 1 or 2
   * @param raw in [0, 255]
   */
  public float value(int channel, int raw) {
    return values[channel][raw];
  }

  /** CRC-32C of the values as little-endian binary32, channel after channel. */
  public long crc32c() {
    ByteBuffer bytes =
        ByteBuffer.allocate(CHANNELS * VALUES * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    for (float[] channel : values) {
      for (float value : channel) {
        bytes.putFloat(value);
      }
    }
    CRC32C crc = new CRC32C();
    crc.update(bytes.flip());
    return crc.getValue();
  }

  /** A copy: {@code [3][256]}. */
  public float[][] toArray() {
    return Arrays.stream(values).map(float[]::clone).toArray(float[][]::new);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ValueTable table && Arrays.deepEquals(values, table.values);
  }

  @Override
  public int hashCode() {
    return Arrays.deepHashCode(values);
  }
}
