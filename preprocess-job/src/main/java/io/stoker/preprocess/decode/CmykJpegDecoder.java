package io.stoker.preprocess.decode;

import io.stoker.preprocess.reject.RejectReason;
import io.stoker.preprocess.reject.SafeText;
import io.stoker.preprocess.reject.SampleRejectedException;
import java.awt.image.DataBufferByte;
import java.awt.image.Raster;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Iterator;
import javax.imageio.ImageReader;
import javax.imageio.spi.IIORegistry;
import javax.imageio.spi.ImageReaderSpi;
import javax.imageio.stream.ImageInputStream;
import javax.imageio.stream.MemoryCacheImageInputStream;

/**
 * Four-component JPEG, CMYK or YCCK, as RGB with Pillow's arithmetic; OpenCV's is off by up to two.
 *
 * <p>The JDK's reader hands out the four planes without colour conversion. It is fed a file without
 * application segments, so that neither an ICC profile nor odd metadata can disturb it.
 */
final class CmykJpegDecoder {
  /** The raster lies on the heap, four bytes per pixel: 256 MiB at most. */
  private static final long MAX_PIXELS = 64L << 20;

  private static final String JDK_READER = "com.sun.imageio.plugins.jpeg.JPEGImageReaderSpi";
  private static final int SOS = 0xDA;
  private static final int EOI = 0xD9;
  private static final int APP0 = 0xE0;
  private static final int APP14 = 0xEE;
  private static final int APP15 = 0xEF;
  private static final int COM = 0xFE;

  private final ImageReaderSpi provider = jdkReader();

  /**
   * Fills {@code pixels}.
   *
   * @param pixels at least {@code 3 * width * height} bytes, rows without gaps
   */
  void decode(Bytes file, ImageHeader header, ByteBuffer pixels) throws SampleRejectedException {
    int width = header.width();
    int height = header.height();
    if ((long) width * height > MAX_PIXELS) {
      throw new SampleRejectedException(
          RejectReason.TOO_MANY_PIXELS,
          "expected at most %d pixels of CMYK, found %dx%d".formatted(MAX_PIXELS, width, height));
    }
    ByteArrayOutputStream bare = new ByteArrayOutputStream(file.length());
    boolean ycck = strip(file, bare) > 0;
    byte[] planes = read(bare.toByteArray(), width, height);
    byte[] row = new byte[3 * width];
    for (int y = 0; y < height; y++) {
      if (ycck) {
        Ycck.toCmyk(planes, 4 * y * width, width);
      }
      toRgb(planes, 4 * y * width, row);
      pixels.put(y * row.length, row);
    }
  }

  /**
   * Copies everything up to the end-of-image marker but the application and comment segments.
   *
   * @return the colour transform of the Adobe segment: 0 is CMYK, others are YCCK; -1 without one
   */
  private static int strip(Bytes file, ByteArrayOutputStream out) throws SampleRejectedException {
    int transform = -1;
    long at = 2;
    out.write(file.array(), file.from(), 2);
    boolean scans = false;
    while (true) {
      long marker = JpegHeader.nextMarker(file, at);
      if (scans) {
        write(file, at, marker - at, out); // entropy-coded data
      }
      int code = file.u8(marker + 1);
      boolean bare = code == EOI || JpegHeader.isBare(code);
      long size = 2 + (bare ? 0L : file.u16(marker + 2, true));
      if (code == APP14 && !scans) {
        transform = adobeTransform(file.slice(marker + 4, size - 4, "Adobe segment"), transform);
      }
      if (code != COM && (code < APP0 || code > APP15)) {
        write(file, marker, size, out);
      }
      if (code == EOI) {
        return transform;
      }
      scans |= code == SOS;
      at = marker + size;
    }
  }

  private static int adobeTransform(Bytes body, int before) throws SampleRejectedException {
    return body.has(0, "Adobe") && body.length() >= 12 ? body.u8(11) : before;
  }

  private static void write(Bytes file, long at, long size, ByteArrayOutputStream out)
      throws SampleRejectedException {
    Bytes part = file.slice(at, size, "JPEG file");
    out.write(part.array(), part.from(), part.length());
  }

  private byte[] read(byte[] jpeg, int width, int height) throws SampleRejectedException {
    ImageReader reader = null;
    try (ImageInputStream in = new MemoryCacheImageInputStream(new ByteArrayInputStream(jpeg))) {
      reader = provider.createReaderInstance();
      reader.setInput(in, true, true);
      Raster raster = reader.readRaster(0, null);
      if (raster.getWidth() != width
          || raster.getHeight() != height
          || !(raster.getDataBuffer() instanceof DataBufferByte planes)
          || planes.getSize() != 4 * width * height) {
        throw Reject.corrupt(
            "expected four planes of %dx%d, found %d of %dx%d"
                .formatted(
                    width, height, raster.getNumBands(), raster.getWidth(), raster.getHeight()));
      }
      return planes.getData();
    } catch (IOException | RuntimeException broken) {
      throw Reject.corrupt("expected a CMYK JPEG, found " + SafeText.ascii(broken.toString()));
    } finally {
      if (reader != null) {
        reader.dispose();
      }
    }
  }

  /** Planes hold inverted CMYK, the convention of Adobe, which Pillow assumes always. */
  private static void toRgb(byte[] planes, int from, byte[] row) {
    for (int i = 0, p = from; i < row.length; i += 3, p += 4) {
      int notBlack = planes[p + 3] & 0xFF;
      row[i] = mix(255 - (planes[p] & 0xFF), notBlack);
      row[i + 1] = mix(255 - (planes[p + 1] & 0xFF), notBlack);
      row[i + 2] = mix(255 - (planes[p + 2] & 0xFF), notBlack);
    }
  }

  /** {@code notBlack * (255 - ink) / 255}, rounded the way Pillow rounds it. */
  private static byte mix(int ink, int notBlack) {
    int t = ink * notBlack + 128;
    return (byte) Math.max(0, notBlack - ((t + (t >> 8)) >> 8));
  }

  private static ImageReaderSpi jdkReader() {
    Iterator<ImageReaderSpi> all =
        IIORegistry.getDefaultInstance().getServiceProviders(ImageReaderSpi.class, false);
    while (all.hasNext()) {
      ImageReaderSpi candidate = all.next();
      if (candidate.getClass().getName().equals(JDK_READER)) {
        return candidate;
      }
    }
    throw new IllegalStateException("expected the JDK's JPEG reader " + JDK_READER);
  }

  /** YCCK to CMYK with the 16-bit fixed-point arithmetic of libjpeg. */
  private static final class Ycck {
    private static final int SCALE_BITS = 16;
    private static final int HALF = 1 << (SCALE_BITS - 1);
    private static final int CR_TO_R = 91_881; // 1.40200
    private static final int CB_TO_B = 116_130; // 1.77200
    private static final int CR_TO_G = -46_802; // -0.71414
    private static final int CB_TO_G = -22_554; // -0.34414

    private Ycck() {}

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
}
