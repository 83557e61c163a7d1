package io.stoker.preprocess.task;

import io.stoker.preprocess.decode.ImageHeader;
import io.stoker.preprocess.sample.Sample;
import io.stoker.preprocess.text.EncodedText;
import io.stoker.preprocess.vision.Grid;
import java.util.List;

/**
 * A sample that is finished except for its pixels. Its length is known from the headers of its
 * images, so that it can wait for a pack as encoded bytes, a tenth of what its patches take.
 *
 * @param sample the sample
 * @param text ids, labels and positions
 * @param images its images, still encoded, in reading order
 * @param nanos time spent on it so far
 */
record PreparedSample(Sample sample, EncodedText text, List<Image> images, long nanos) {
  PreparedSample {
    images = List.copyOf(images);
  }

  /**
   * An image that is not decoded yet.
   *
   * @param bytes as stored
   * @param header what the bytes declare
   * @param grid patches after resizing
   */
  record Image(byte[] bytes, ImageHeader header, Grid grid) {}

  /** Patches of all images. */
  long patches() {
    return images.stream().mapToLong(image -> image.grid().patches()).sum();
  }

  /** Memory that the sample holds while it waits: its images and, at 40 bytes each, its tokens. */
  long bytes() {
    long bytes = 40L * text.length();
    for (Image image : images) {
      bytes += image.bytes().length;
    }
    return bytes;
  }
}
