package io.stoker.reader;

import java.nio.ByteBuffer;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Memory in which blocks stand on their way into the cache, used again and again; there are never
 * more of them than threads that fetch. Thread-safe.
 */
final class StagingBuffers {
  private final ConcurrentLinkedQueue<ByteBuffer> free = new ConcurrentLinkedQueue<>();

  /** A buffer of at least {@code length} bytes; who keeps it does not give it back. */
  ByteBuffer borrow(int length) {
    @Nullable ByteBuffer buffer = free.poll();
    return buffer != null && buffer.capacity() >= length
        ? buffer
        : ByteBuffer.allocateDirect(length);
  }

  void giveBack(ByteBuffer buffer) {
    free.add(buffer);
  }
}
