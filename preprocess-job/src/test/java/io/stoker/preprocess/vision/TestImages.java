package io.stoker.preprocess.vision;

import io.stoker.preprocess.decode.RgbImage;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;

/** Pictures, settings and digests for the tests of this package. */
final class TestImages {
  private TestImages() {}

  /** The Qwen3-VL checkpoint's own settings. */
  static VisionSettings checkpoint(ResizeKernel kernel) {
    return settings(65_536, 16_777_216, kernel);
  }

  static VisionSettings settings(long minPixels, long maxPixels, ResizeKernel kernel) {
    List<Double> half = List.of(0.5, 0.5, 0.5);
    return new VisionSettings(minPixels, maxPixels, 16, 2, 2, half, half, kernel);
  }

  /** The picture of the oracle file: {@code (7x + 13y + 50c + (x·y mod 11)) mod 256}, HWC. */
  static byte[] synthetic(int height, int width) {
    byte[] pixels = new byte[height * width * 3];
    for (int y = 0; y < height; y++) {
      for (int x = 0; x < width; x++) {
        for (int c = 0; c < 3; c++) {
          pixels[(y * width + x) * 3 + c] = (byte) (7 * x + 13 * y + 50 * c + x * y % 11);
        }
      }
    }
    return pixels;
  }

  /** Noise of full contrast, the hardest case for clamping, with some flat stretches. */
  static byte[] noise(int height, int width, Random random) {
    byte[] pixels = new byte[height * width * 3];
    random.nextBytes(pixels);
    for (int i = 0; i < pixels.length; i++) {
      if (i / 48 % 3 == 0) {
        pixels[i] = (byte) (pixels[i] < 0 ? 0 : 255);
      }
    }
    return pixels;
  }

  /** Wraps HWC pixels, as a decoder would hand them over: native memory, padded rows. */
  static RgbImage image(byte[] pixels, int height, int width, int padding, boolean direct) {
    int stride = 3 * width + padding;
    int size = stride * (height - 1) + 3 * width;
    ByteBuffer buffer = direct ? ByteBuffer.allocateDirect(size) : ByteBuffer.allocate(size);
    for (int y = 0; y < height; y++) {
      buffer.put(y * stride, pixels, y * 3 * width, 3 * width);
    }
    // Position and limit are not to be used; make sure that nobody does.
    buffer.position(size).order(ByteOrder.BIG_ENDIAN);
    return new RgbImage(width, height, stride, buffer);
  }

  static RgbImage image(byte[] pixels, int height, int width) {
    return image(pixels, height, width, 0, true);
  }

  /** Patches of one image in an array of exactly their size. */
  static byte[] patches(ImageProcessor processor, RgbImage image, Grid grid) {
    byte[] out = new byte[grid.patches() * 768];
    processor.patches(image, grid, out, 0);
    return out;
  }

  /** Undoes the patch order, written from the formula: HWC pixels. */
  static byte[] unpatch(byte[] patches, Grid grid) {
    int gw = grid.width();
    byte[] pixels = new byte[patches.length];
    for (int p = 0; p < grid.patches(); p++) {
      int mw = p % 2;
      int mh = p / 2 % 2;
      int bw = p / 4 % (gw / 2);
      int bh = p / 4 / (gw / 2);
      for (int q = 0; q < 768; q++) {
        int y = (2 * bh + mh) * 16 + q / 16 % 16;
        int x = (2 * bw + mw) * 16 + q % 16;
        pixels[(y * gw * 16 + x) * 3 + q / 256] = patches[p * 768 + q];
      }
    }
    return pixels;
  }

  static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }
}
