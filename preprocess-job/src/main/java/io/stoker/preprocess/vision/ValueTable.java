package io.stoker.preprocess.vision;

import static io.stoker.preprocess.vision.VisionSettings.CHANNELS;

/**
 * What each byte means: the 256 normalised values of each channel.
 *
 * <p>The reference fuses rescaling and normalisation into one float32 subtraction and one float32
 * division, {@code (v − mean · 255) / (std · 255)}; a multiplication by the reciprocal would differ
 * in the last bit.
 */
public final class ValueTable {
  private static final int LEVELS = 256;

  private final float[][] float32 = new float[CHANNELS][LEVELS];
  private final short[][] bfloat16 = new short[CHANNELS][LEVELS];

  public ValueTable(VisionSettings settings) {
    for (int channel = 0; channel < CHANNELS; channel++) {
      float mean = settings.mean().get(channel).floatValue() * 255f;
      float std = settings.std().get(channel).floatValue() * 255f;
      for (int value = 0; value < LEVELS; value++) {
        float normalised = (value - mean) / std;
        float32[channel][value] = normalised;
        bfloat16[channel][value] = bfloat16(normalised);
      }
    }
  }

  /** The upper half of a finite float32's bits, rounded to nearest, ties to even. */
  private static short bfloat16(float value) {
    int bits = Float.floatToRawIntBits(value);
    int roundUp = 0x7fff + ((bits >>> 16) & 1);
    return (short) ((bits + roundUp) >>> 16);
  }

  /** The 256 values of a channel (0 = R, 1 = G, 2 = B), a copy. */
  public float[] float32(int channel) {
    return float32[channel].clone();
  }

  /** The 256 values of a channel (0 = R, 1 = G, 2 = B) as bfloat16 bits, a copy. */
  public short[] bfloat16(int channel) {
    return bfloat16[channel].clone();
  }
}
