package io.stoker.preprocess.decode;

import static org.bytedeco.opencv.global.opencv_core.CV_8UC3;
import static org.bytedeco.opencv.global.opencv_core.flip;
import static org.bytedeco.opencv.global.opencv_core.transpose;

import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.opencv.opencv_core.Mat;

/** Turns and mirrors a picture so that it stands as its EXIF orientation says. */
final class Orienter implements AutoCloseable {
  private static final int AROUND_X = 0; // upside down
  private static final int AROUND_Y = 1; // left to right
  private static final int AROUND_BOTH = -1;

  private final NativeBuffer turned = new NativeBuffer();

  /**
   * The memory that holds the upright picture: {@code pixels} or a buffer of this object.
   *
   * @param pixels RGB as stored, rows without gaps; may be overwritten
   */
  BytePointer apply(ImageHeader header, BytePointer pixels) {
    int orientation = header.orientation();
    if (orientation == Exif.UPRIGHT) {
      return pixels;
    }
    BytePointer other = turned.reserve(3L * header.width() * header.height());
    int width = header.displayedWidth();
    int height = header.displayedHeight();
    try (Mat stored = new Mat(header.height(), header.width(), CV_8UC3, pixels);
        Mat second = new Mat(height, width, CV_8UC3, other);
        Mat third = new Mat(height, width, CV_8UC3, pixels)) {
      switch (orientation) {
        case 2 -> flip(stored, second, AROUND_Y);
        case 3 -> flip(stored, second, AROUND_BOTH);
        case 4 -> flip(stored, second, AROUND_X);
        default -> transpose(stored, second);
      }
      switch (orientation) {
        case 6 -> flip(second, third, AROUND_Y); // a quarter turn to the right
        case 7 -> flip(second, third, AROUND_BOTH);
        case 8 -> flip(second, third, AROUND_X); // a quarter turn to the left
        default -> {
          return other;
        }
      }
      return pixels;
    }
  }

  @Override
  public void close() {
    turned.close();
  }
}
