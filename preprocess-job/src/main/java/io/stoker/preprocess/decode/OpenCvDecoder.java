package io.stoker.preprocess.decode;

import static org.bytedeco.opencv.global.opencv_core.CV_16UC1;
import static org.bytedeco.opencv.global.opencv_core.CV_8UC1;
import static org.bytedeco.opencv.global.opencv_core.CV_8UC3;
import static org.bytedeco.opencv.global.opencv_imgcodecs.IMREAD_ANYDEPTH;
import static org.bytedeco.opencv.global.opencv_imgcodecs.IMREAD_COLOR_RGB;
import static org.bytedeco.opencv.global.opencv_imgcodecs.IMREAD_GRAYSCALE;
import static org.bytedeco.opencv.global.opencv_imgcodecs.IMREAD_IGNORE_ORIENTATION;

import io.stoker.preprocess.reject.SafeText;
import io.stoker.preprocess.reject.SampleRejectedException;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.opencv.global.opencv_core;
import org.bytedeco.opencv.global.opencv_imgcodecs;
import org.bytedeco.opencv.opencv_core.Mat;
import org.bytedeco.opencv.opencv_core.MatVector;

/**
 * OpenCV's decoders for JPEG of one or three components, PNG, WebP and BMP.
 *
 * <p>The target is a Mat over our own memory of the size the header claims: a decoder that finds
 * another size cannot use it, and that is how the difference is noticed. The answer of {@code
 * imdecode} must be looked at, not the target: after a failure the target still has its size and
 * holds whatever was written so far.
 */
final class OpenCvDecoder implements AutoCloseable {
  private final NativeBuffer encoded = new NativeBuffer();
  private final NativeBuffer deep = new NativeBuffer();

  /**
   * Fills {@code pixels} with RGB as stored, not turned.
   *
   * @param pixels {@code 3 * width * height} bytes, rows without gaps
   */
  void decode(Bytes file, ImageHeader header, BytePointer pixels) throws SampleRejectedException {
    BytePointer source = encoded.reserve(file.length());
    long size;
    boolean png = header.format() == ImageFormat.PNG;
    if (png) {
      size = copyPixelChunks(file, source);
    } else {
      source.position(0).put(file.array(), file.from(), file.length());
      size = file.length();
    }
    if (png && header.components() == 1 && header.bitDepth() == 16) {
      deepGray(source, size, header, pixels);
    } else {
      int flags = IMREAD_COLOR_RGB | IMREAD_IGNORE_ORIENTATION;
      try (Mat target = new Mat(header.height(), header.width(), CV_8UC3, pixels)) {
        decode(source, size, flags, target);
      }
    }
  }

  /**
   * Copies the chunks of a PNG that make its pixels: IHDR, PLTE, IDAT, IEND.
   *
   * <p>Pillow shows the default image of an animation, and shows colours without transparency and
   * without any correction. So does libpng when it never sees the other chunks, and they can do no
   * harm there.
   *
   * <p>The chunks were walked once before, for the header: that was before the image waited for its
   * pack, and a list of chunks would have to wait with it.
   *
   * @param target at least {@code file.length()} bytes
   * @return bytes written
   */
  private static long copyPixelChunks(Bytes file, BytePointer target)
      throws SampleRejectedException {
    long size = PngChunks.SIGNATURE_BYTES;
    target.position(0).put(file.array(), file.from(), PngChunks.SIGNATURE_BYTES);
    for (PngChunks.Chunk chunk : PngChunks.parse(file)) {
      switch (chunk.type()) {
        case PngChunks.IHDR, PngChunks.PLTE, PngChunks.IDAT, PngChunks.IEND -> {
          int from = file.from() + (int) chunk.at();
          target.position(size).put(file.array(), from, chunk.size());
          size += chunk.size();
        }
        default -> {}
      }
    }
    target.position(0);
    return size;
  }

  /** 16-bit gray saturates at 255 in Pillow; OpenCV would take the high byte. */
  private void deepGray(BytePointer source, long size, ImageHeader header, BytePointer pixels)
      throws SampleRejectedException {
    int width = header.width();
    int height = header.height();
    BytePointer wide = deep.reserve(2L * width * height);
    Pointer.memset(wide, 0, 2L * width * height);
    int flags = IMREAD_GRAYSCALE | IMREAD_ANYDEPTH | IMREAD_IGNORE_ORIENTATION;
    try (Mat gray16 = new Mat(height, width, CV_16UC1, wide);
        Mat gray = new Mat();
        Mat rgb = new Mat(height, width, CV_8UC3, pixels)) {
      decode(source, size, flags, gray16);
      gray16.convertTo(gray, CV_8UC1);
      try (MatVector planes = new MatVector(gray, gray, gray)) {
        opencv_core.merge(planes, rgb);
      }
    }
  }

  private static void decode(BytePointer source, long size, int flags, Mat target)
      throws SampleRejectedException {
    int rows = target.rows();
    int cols = target.cols();
    int type = target.type();
    long address = target.data().address();
    try (Mat input = new Mat(1, (int) size, CV_8UC1, source);
        Mat answer = opencv_imgcodecs.imdecode(input, flags, target)) {
      if (answer.empty()) {
        throw Reject.corrupt("expected a complete image, found damage or an early end");
      }
      if (answer.rows() != rows
          || answer.cols() != cols
          || answer.type() != type
          || answer.data().address() != address) {
        throw Reject.corrupt(
            "expected %dx%d pixels as the header says, found %dx%d"
                .formatted(cols, rows, answer.cols(), answer.rows()));
      }
    } catch (RuntimeException thrown) {
      String message = String.valueOf(thrown.getMessage());
      if (message.contains("nsufficient memory") || message.contains("bad_alloc")) {
        // The machine is at fault, not the image.
        OutOfMemoryError exhausted = new OutOfMemoryError(SafeText.ascii(message));
        exhausted.initCause(thrown);
        throw exhausted;
      }
      throw Reject.corrupt("expected an image, found " + SafeText.ascii(message));
    }
  }

  @Override
  public void close() {
    encoded.close();
    deep.close();
  }
}
