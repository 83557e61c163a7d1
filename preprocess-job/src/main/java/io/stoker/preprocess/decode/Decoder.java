package io.stoker.preprocess.decode;

import io.stoker.preprocess.reject.SampleRejectedException;
import java.nio.ByteBuffer;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.opencv.global.opencv_core;

/**
 * Decodes images one after the other, in memory that is reused.
 *
 * <p>The pixels of a {@link RgbImage} lie in this decoder's native memory: they are valid until its
 * next {@link #decode} or {@link #close}, and reading them later reads freed memory. Not safe for
 * use by several threads; each task has its own.
 *
 * <p>JavaCPP's limit {@code org.bytedeco.javacpp.maxPhysicalBytes} (four times the heap by default)
 * counts resident memory without file mappings, so that mapped shards do not reach it, and this
 * class leaves it alone. It sets {@code cv::setNumThreads(1)} for the whole process, because
 * Spark's tasks are the parallelism.
 */
public final class Decoder implements AutoCloseable {
  private final DecodeSettings settings;
  private final NativeBuffer stored = new NativeBuffer();
  private final OpenCvDecoder openCv = new OpenCvDecoder();
  private final CmykJpegDecoder cmyk = new CmykJpegDecoder();
  private final Orienter orienter = new Orienter();
  private boolean closed;

  public Decoder(DecodeSettings settings) {
    this.settings = settings;
    opencv_core.setNumThreads(1);
  }

  /**
   * Decodes one image and turns it upright.
   *
   * <p>The file is walked again, although its header was read from it: that happened before the
   * image waited for its pack, and only the encoded bytes wait. A second walk costs little beside
   * decoding.
   *
   * @param data the whole file; not changed, not kept
   * @param header of the same file, read with the same settings
   * @return {@code displayedWidth} by {@code displayedHeight} pixels without gaps between rows
   * @throws SampleRejectedException if the file is damaged, ends early, or is not what its header
   *     says
   */
  public RgbImage decode(byte[] data, ImageHeader header) throws SampleRejectedException {
    if (closed) {
      throw new IllegalStateException("expected an open decoder, found it closed");
    }
    ImageHeader.Limits limits = new ImageHeader.Limits(settings.maxPixels());
    limits.check(header.format(), header.width(), header.height());
    Bytes file = Bytes.of(data, header.format() + " file");
    long size = 3L * header.width() * header.height();
    BytePointer pixels = stored.reserve(size);
    // Whatever a decoder leaves unwritten must not be a part of an earlier picture.
    Pointer.memset(pixels, 0, size);
    if (header.format() == ImageFormat.JPEG) {
      JpegScans.check(file);
    }
    if (header.format() == ImageFormat.GIF) {
      GifDecoder.decode(file, header, GifFrame.parse(file, limits), view(pixels, size));
    } else if (header.format() == ImageFormat.JPEG && header.components() == 4) {
      cmyk.decode(file, header, view(pixels, size));
    } else {
      openCv.decode(file, header, pixels);
    }
    BytePointer upright = orienter.apply(header, pixels);
    int width = header.displayedWidth();
    return new RgbImage(width, header.displayedHeight(), 3 * width, view(upright, size));
  }

  private static ByteBuffer view(BytePointer memory, long size) {
    return memory.position(0).asByteBuffer().slice(0, (int) size);
  }

  /** Frees the native memory, and with it the pixels of the last picture. */
  @Override
  public void close() {
    closed = true;
    stored.close();
    openCv.close();
    orienter.close();
  }
}
