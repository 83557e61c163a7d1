package io.stoker.preprocess.vision;

import static io.stoker.preprocess.vision.VisionSettings.MERGE;
import static io.stoker.preprocess.vision.VisionSettings.PATCH;

import io.stoker.preprocess.reject.RejectReason;
import io.stoker.preprocess.reject.SampleRejectedException;

/**
 * The target size of a picture: both sides multiples of 32, about the same shape, area between two
 * bounds.
 *
 * <p>Follows the image version of Hugging Face's smart_resize operation by operation, with its
 * peculiarities: halves round to even, the area is not checked again after the second step, and
 * very long pictures may end above the upper bound.
 */
final class SmartResize {
  private static final int FACTOR = PATCH * MERGE;
  private static final int MAX_RATIO = 200;

  private SmartResize() {}

  /**
   * The patch grid for a picture.
   *
   * @param height pixels, after any EXIF rotation
   * @param width pixels, after any EXIF rotation
   * @param minPixels least area
   * @param maxPixels largest area
   * @throws SampleRejectedException if one side is more than 200 times the other
   */
  static Grid grid(int height, int width, long minPixels, long maxPixels)
      throws SampleRejectedException {
    if (height < 1 || width < 1) {
      throw new IllegalArgumentException(
          "expected a picture of at least 1x1, found %dx%d".formatted(width, height));
    }
    if ((double) Math.max(height, width) / Math.min(height, width) > MAX_RATIO) {
      throw new SampleRejectedException(
          RejectReason.ASPECT_RATIO,
          "expected one side at most %d times the other, found %dx%d (width x height)"
              .formatted(MAX_RATIO, width, height));
    }
    double rows = Math.rint((double) height / FACTOR);
    double columns = Math.rint((double) width / FACTOR);
    double area = rows * FACTOR * columns * FACTOR;
    double sourceArea = (double) height * width;
    if (area > maxPixels) {
      double shrink = Math.sqrt(sourceArea / maxPixels);
      rows = Math.max(1, Math.floor(height / shrink / FACTOR));
      columns = Math.max(1, Math.floor(width / shrink / FACTOR));
    } else if (area < minPixels) {
      double grow = Math.sqrt(minPixels / sourceArea);
      rows = Math.ceil(height * grow / FACTOR);
      columns = Math.ceil(width * grow / FACTOR);
    }
    return new Grid(MERGE * (int) rows, MERGE * (int) columns);
  }
}
