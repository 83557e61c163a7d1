package io.stoker.preprocess.decode;

import io.stoker.preprocess.reject.SampleRejectedException;
import org.bytedeco.javacpp.BytePointer;

/**
 * A PNG reduced to the chunks that make its pixels: IHDR, PLTE, IDAT, IEND.
 *
 * <p>Pillow shows the default image of an animation, and colours without transparency and without
 * any correction. So does libpng when it never sees the other chunks, nor can these do harm there.
 */
final class PngFilter {
  private PngFilter() {}

  /**
   * Copies the chunks.
   *
   * @param target at least {@code file.length()} bytes
   * @return bytes written
   */
  static long copy(Bytes file, BytePointer target) throws SampleRejectedException {
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
}
