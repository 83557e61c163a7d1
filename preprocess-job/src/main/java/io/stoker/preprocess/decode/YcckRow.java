package io.stoker.preprocess.decode;

/** YCCK to CMYK with the 16-bit fixed-point arithmetic of libjpeg. */
final class YcckRow {
  private static final int SCALE_BITS = 16;
  private static final int HALF = 1 << (SCALE_BITS - 1);
  private static final int CR_TO_R = 91_881; // 1.40200
  private static final int CB_TO_B = 116_130; // 1.77200
  private static final int CR_TO_G = -46_802; // -0.71414
  private static final int CB_TO_G = -22_554; // -0.34414

  private YcckRow() {}

  /**
   * Converts in place; K stays.
   *
   * @param planes four bytes per pixel
   * @param from index of the first pixel
   * @param width pixels
   */
  static void toCmyk(byte[] planes, int from, int width) {
    for (int p = from; p < from + 4 * width; p += 4) {
      int luma = planes[p] & 0xFF;
      int cb = (planes[p + 1] & 0xFF) - 128;
      int cr = (planes[p + 2] & 0xFF) - 128;
      int red = luma + ((CR_TO_R * cr + HALF) >> SCALE_BITS);
      int green = luma + ((CB_TO_G * cb + CR_TO_G * cr + HALF) >> SCALE_BITS);
      int blue = luma + ((CB_TO_B * cb + HALF) >> SCALE_BITS);
      planes[p] = (byte) (255 - clamp(red));
      planes[p + 1] = (byte) (255 - clamp(green));
      planes[p + 2] = (byte) (255 - clamp(blue));
    }
  }

  private static int clamp(int value) {
    return Math.max(0, Math.min(255, value));
  }
}
