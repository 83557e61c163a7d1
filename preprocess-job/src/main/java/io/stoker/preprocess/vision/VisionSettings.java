package io.stoker.preprocess.vision;

import io.stoker.index.ValueTable;
import java.io.Serializable;
import java.util.List;

/**
 * What the reference calls the image processor configuration.
 *
 * @param minPixels least area after resizing ({@code size.shortest_edge} of the reference), pixels
 * @param maxPixels largest area after resizing ({@code size.longest_edge} of the reference), pixels
 * @param patchSize side of a patch in pixels; only 16 is supported
 * @param mergeSize patches per side of one language-model token; only 2 is supported
 * @param temporalPatchSize frames per patch; only 2 is supported
 * @param mean of R, G and B, in units of the full range
 * @param std of R, G and B, in units of the full range, positive
 * @param kernel whose resize arithmetic to follow
 */
public record VisionSettings(
    long minPixels,
    long maxPixels,
    int patchSize,
    int mergeSize,
    int temporalPatchSize,
    List<Double> mean,
    List<Double> std,
    ResizeKernel kernel)
    implements Serializable {

  /** The only patch side that the loops and the byte layout are made for. */
  static final int PATCH = 16;

  /** The only merge size, that is the side of the blocks in which patches are ordered. */
  static final int MERGE = 2;

  /** The only number of temporal slots. */
  static final int TEMPORAL = 2;

  public VisionSettings {
    mean = List.copyOf(mean);
    std = List.copyOf(std);
    only("patch size", PATCH, patchSize);
    only("merge size", MERGE, mergeSize);
    only("temporal patch size", TEMPORAL, temporalPatchSize);
    if (minPixels < 1 || maxPixels < minPixels) {
      throw new IllegalArgumentException(
          "expected 1 <= min pixels <= max pixels, found min pixels %d and max pixels %d"
              .formatted(minPixels, maxPixels));
    }
    if (mean.size() != ValueTable.CHANNELS || !mean.stream().allMatch(Double::isFinite)) {
      throw new IllegalArgumentException("expected 3 finite numbers as mean, found " + mean);
    }
    if (std.size() != ValueTable.CHANNELS || !std.stream().allMatch(VisionSettings::isPositive)) {
      throw new IllegalArgumentException("expected 3 positive numbers as std, found " + std);
    }
  }

  /**
   * What each byte means: the 256 normalised values of each channel.
   *
   * <p>The reference fuses rescaling and normalisation into one float32 subtraction and one float32
   * division, {@code (v − mean · 255) / (std · 255)}; a multiplication by the reciprocal would
   * differ in the last bit.
   */
  public ValueTable valueTable() {
    float[][] values = new float[ValueTable.CHANNELS][ValueTable.VALUES];
    for (int channel = 0; channel < values.length; channel++) {
      float offset = mean.get(channel).floatValue() * 255f;
      float scale = std.get(channel).floatValue() * 255f;
      for (int raw = 0; raw < values[channel].length; raw++) {
        values[channel][raw] = (raw - offset) / scale;
      }
    }
    return ValueTable.of(values);
  }

  private static boolean isPositive(double value) {
    return Double.isFinite(value) && (float) value > 0;
  }

  private static void only(String name, int supported, int found) {
    if (found != supported) {
      throw new IllegalArgumentException(
          "only %s %d is supported, found %d".formatted(name, supported, found));
    }
  }
}
