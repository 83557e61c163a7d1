package io.stoker.reader;

import io.stoker.format.ShardFormat;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The labels of padding packs: all {@link ShardFormat#IGNORED_LABEL}. One buffer serves all packs.
 * It grows with the longest one. Thread-safe.
 */
final class ZeroLoss {
  private ByteBuffer labels = ByteBuffer.allocateDirect(0);

  /** {@code tokens} labels, read-only and little-endian. */
  synchronized ByteBuffer labels(int tokens) {
    int bytes = Math.multiplyExact(tokens, Long.BYTES);
    if (labels.capacity() < bytes) {
      labels = ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
      while (labels.hasRemaining()) {
        labels.putLong(ShardFormat.IGNORED_LABEL);
      }
    }
    return labels.slice(0, bytes).asReadOnlyBuffer().order(ByteOrder.LITTLE_ENDIAN);
  }
}
