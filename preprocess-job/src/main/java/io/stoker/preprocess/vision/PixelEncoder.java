package io.stoker.preprocess.vision;

import static io.stoker.format.ShardFormat.PATCH_VALUES;
import static io.stoker.index.ValueTable.CHANNELS;
import static io.stoker.preprocess.vision.VisionSettings.PATCH;

import io.stoker.format.ElementType;
import io.stoker.format.PixelLayout;
import io.stoker.index.ValueTable;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Objects;

/** Expands 8-bit single-slot patches to the layout that a dataset stores. */
public final class PixelEncoder {
  private static final VarHandle SHORTS =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final int PLANE = PATCH * PATCH;

  private final ElementType type;
  private final int slots;
  private final int bytesPerPatch;
  private final short[][] bfloat16 = new short[CHANNELS][ValueTable.VALUES];
  private final int[][] float32 = new int[CHANNELS][ValueTable.VALUES];

  public PixelEncoder(ValueTable table, PixelLayout layout) {
    this.type = layout.type();
    this.slots = layout.valuesPerPatch() / PATCH_VALUES;
    this.bytesPerPatch = layout.bytesPerPatch();
    for (int channel = 0; channel < CHANNELS; channel++) {
      for (int raw = 0; raw < ValueTable.VALUES; raw++) {
        float value = table.value(channel, raw);
        float32[channel][raw] = Float.floatToRawIntBits(value);
        bfloat16[channel][raw] = bfloat16(value);
      }
    }
  }

  /** The upper half of a finite float32's bits, rounded to nearest, ties to even. */
  static short bfloat16(float value) {
    int bits = Float.floatToRawIntBits(value);
    int roundUp = 0x7fff + ((bits >>> 16) & 1);
    return (short) ((bits + roundUp) >>> 16);
  }

  /** Bytes that {@link #encode} writes per patch. */
  public int bytesPerPatch() {
    return bytesPerPatch;
  }

  /**
   * Encodes {@code count} patches.
   *
   * @param patches uint8, 768 per patch in order {@code c, py, px}
   * @param offset of the first patch in {@code patches}
   * @param count patches
   * @param out receives {@code count * bytesPerPatch()} bytes, values in order {@code c, t, py, px}
   * @param outOffset where in {@code out} to begin
   */
  public void encode(byte[] patches, int offset, int count, byte[] out, int outOffset) {
    Objects.checkFromIndexSize(offset, Math.multiplyExact(count, PATCH_VALUES), patches.length);
    Objects.checkFromIndexSize(outOffset, Math.multiplyExact(count, bytesPerPatch), out.length);
    int planeBytes = PLANE * type.bytes();
    int at = outOffset;
    for (int plane = 0; plane < count * CHANNELS; plane++) {
      encodePlane(patches, offset + plane * PLANE, plane % CHANNELS, out, at);
      for (int slot = 1; slot < slots; slot++) {
        System.arraycopy(out, at, out, at + slot * planeBytes, planeBytes);
      }
      at += slots * planeBytes;
    }
  }

  private void encodePlane(byte[] patches, int from, int channel, byte[] out, int at) {
    switch (type) {
      case UINT8 -> System.arraycopy(patches, from, out, at, PLANE);
      case BFLOAT16 -> shorts(patches, from, bfloat16[channel], out, at);
      case FLOAT32 -> ints(patches, from, float32[channel], out, at);
      case INT32, INT64 -> throw new AssertionError(type); // no layout has them
    }
  }

  private static void shorts(byte[] patches, int from, short[] table, byte[] out, int at) {
    for (int i = 0; i < PLANE; i++) {
      SHORTS.set(out, at + 2 * i, table[patches[from + i] & 0xff]);
    }
  }

  private static void ints(byte[] patches, int from, int[] table, byte[] out, int at) {
    for (int i = 0; i < PLANE; i++) {
      INTS.set(out, at + 4 * i, table[patches[from + i] & 0xff]);
    }
  }
}
