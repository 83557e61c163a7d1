package io.stoker.store;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.function.LongSupplier;

/**
 * Reads bodies of responses and gives up those that would never end. Thread-safe.
 *
 * @param timeoutNanos how long a request may take
 * @param minimumRate bytes per second that it must reach, judged after {@link #GRACE_NANOS}
 * @param clock in nanoseconds
 */
record TransferRate(long timeoutNanos, long minimumRate, LongSupplier clock) {
  private static final long GRACE_NANOS = 5_000_000_000L;
  private static final double SECOND = 1e9;
  private static final int CHUNK_BYTES = 128 << 10;

  /**
   * Fills a buffer up to its limit.
   *
   * @param start when the request was made
   * @throws EOFException if the body ends before
   * @throws SocketTimeoutException if it is too slow
   */
  void read(InputStream body, ByteBuffer target, long start) throws IOException {
    int first = target.position();
    int length = target.remaining();
    byte[] chunk = new byte[Math.min(length, CHUNK_BYTES)];
    while (target.hasRemaining()) {
      int count = body.read(chunk, 0, Math.min(chunk.length, target.remaining()));
      if (count < 0) {
        throw new EOFException(
            "the body ended after " + (target.position() - first) + " of " + length + " bytes");
      }
      target.put(chunk, 0, count);
      check(target.position() - first, length, clock.getAsLong() - start);
    }
  }

  private void check(long bytes, int length, long nanos) throws SocketTimeoutException {
    boolean late = nanos > timeoutNanos;
    boolean slow = nanos > GRACE_NANOS && bytes / (nanos / SECOND) < minimumRate;
    if (bytes < length && (late || slow)) {
      throw new SocketTimeoutException(
          "only " + bytes + " of " + length + " bytes after " + nanos / 1_000_000 + " ms");
    }
  }
}
