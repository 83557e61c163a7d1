package io.stoker.preprocess.vision;

/** The type in which a pixel value is written out, little-endian. */
public enum PixelEncoding {
  /** The byte itself, not normalised. */
  UINT8(1),
  /** The normalised value rounded to bfloat16, which is what a model in bfloat16 consumes. */
  BFLOAT16(2),
  /** The normalised value, as the reference processor returns it. */
  FLOAT32(4);

  private final int bytesPerValue;

  PixelEncoding(int bytesPerValue) {
    this.bytesPerValue = bytesPerValue;
  }

  /** Bytes of one value. */
  public int bytesPerValue() {
    return bytesPerValue;
  }

  /** Bytes of one patch. */
  public int bytesPerPatch(PixelTemporal temporal) {
    return bytesPerValue * temporal.valuesPerPatch();
  }
}
