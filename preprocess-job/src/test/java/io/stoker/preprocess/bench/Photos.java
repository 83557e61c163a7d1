package io.stoker.preprocess.bench;

import java.nio.file.Path;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.IntPointer;
import org.bytedeco.opencv.global.opencv_core;
import org.bytedeco.opencv.global.opencv_imgcodecs;
import org.bytedeco.opencv.opencv_core.Mat;
import org.bytedeco.opencv.opencv_core.Rect;
import org.bytedeco.opencv.opencv_core.Scalar;

/** Real photographs at the sizes of real data sets: mirrored copies of a photo, cut and encoded. */
public final class Photos {
  private static final int QUALITY = 90;

  private Photos() {}

  /**
   * A JPEG of this size with as much detail per pixel as the photo.
   *
   * @param shift moves the cut, so that pictures differ
   */
  public static byte[] jpeg(Path photo, int height, int width, int shift) {
    try (Mat read = opencv_imgcodecs.imread(photo.toString(), opencv_imgcodecs.IMREAD_COLOR);
        Mat large = new Mat();
        BytePointer jpeg = new BytePointer();
        IntPointer quality = new IntPointer(opencv_imgcodecs.IMWRITE_JPEG_QUALITY, QUALITY)) {
      opencv_core.copyMakeBorder(
          read,
          large,
          0,
          Math.max(0, height + shift - read.rows()),
          0,
          Math.max(0, width + shift - read.cols()),
          opencv_core.BORDER_REFLECT,
          new Scalar());
      Rect cut = new Rect(shift, shift, width, height);
      opencv_imgcodecs.imencode(".jpg", large.apply(cut), jpeg, quality);
      byte[] bytes = new byte[(int) jpeg.limit()];
      jpeg.get(bytes);
      return bytes;
    }
  }
}
