package io.stoker.preprocess.decode;

import org.bytedeco.javacpp.BytePointer;
import org.jspecify.annotations.Nullable;

/**
 * Native bytes that are kept from one image to the next, so that neither the garbage collector nor
 * the C allocator decides when they go.
 *
 * <p>A buffer grows to what an image needs. One that a giant needed is given back with the next
 * image of ordinary size.
 */
final class NativeBuffer implements AutoCloseable {
  private static final long STEP = 1L << 20;
  private static final long ORDINARY = 64L << 20;

  private @Nullable BytePointer memory;

  /**
   * At least {@code size} bytes, position 0; what they held before is undefined. The pointer
   * belongs to this buffer and ends with the next call or {@link #close}.
   */
  BytePointer reserve(long size) {
    BytePointer current = memory;
    if (current != null) {
      boolean giant = current.capacity() > ORDINARY && size <= ORDINARY;
      if (current.capacity() >= size && !giant) {
        return current;
      }
      close();
    }
    BytePointer fresh = new BytePointer((size + STEP - 1) / STEP * STEP);
    memory = fresh;
    return fresh;
  }

  @Override
  public void close() {
    if (memory != null) {
      memory.close();
      memory = null;
    }
  }
}
