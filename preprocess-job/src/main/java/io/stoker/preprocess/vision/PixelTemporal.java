package io.stoker.preprocess.vision;

/** How many temporal slots of a still image's patch are written out; both hold the same values. */
public enum PixelTemporal {
  /** One slot: 768 values, order {@code c, py, px}. */
  SINGLE(1),
  /** Both slots: 1536 values, order {@code c, t, py, px}, as the vision tower reads them. */
  DUPLICATED(VisionSettings.TEMPORAL);

  private final int slots;

  PixelTemporal(int slots) {
    this.slots = slots;
  }

  /** Temporal slots per patch. */
  public int slots() {
    return slots;
  }

  /** Values per patch. */
  public int valuesPerPatch() {
    return slots * VisionSettings.PATCH_VALUES;
  }
}
