package io.stoker.format;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * A growing array of little-endian bytes: one buffer of an Arrow batch under construction.
 * Reusable; not thread-safe.
 */
public final class LittleEndianBuffer {
  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  // Some JVMs refuse arrays that are only a few elements shorter than the limit.
  private static final int MAX_BYTES = Integer.MAX_VALUE - 8;

  private byte[] bytes = new byte[0];
  private int size;

  /** Bytes written so far. */
  public int size() {
    return size;
  }

  /** Forgets all bytes from {@code size} on. */
  public void truncate(int size) {
    if (size < 0 || size > this.size) {
      throw new IllegalArgumentException("cannot truncate " + this.size + " bytes to " + size);
    }
    this.size = size;
  }

  /**
   * Makes room for {@code count} more bytes, whose content the caller writes into {@link #array()}.
   *
   * @return index of the first of them
   * @throws IllegalStateException if the buffer would pass 2 GiB
   */
  public int reserve(int count) {
    long needed = (long) size + count;
    if (count < 0 || needed > MAX_BYTES) {
      throw new IllegalStateException("a buffer holds at most " + MAX_BYTES + " bytes");
    }
    if (needed > bytes.length) {
      long doubled = Math.max(64, 2L * bytes.length);
      bytes = Arrays.copyOf(bytes, (int) Math.min(MAX_BYTES, Math.max(needed, doubled)));
    }
    int at = size;
    size = (int) needed;
    return at;
  }

  /** The backing array; valid until the next call that makes the buffer longer. */
  public byte[] array() {
    return bytes;
  }

  /** Appends one 32-bit integer. */
  public void putInt(int value) {
    int at = reserve(Integer.BYTES);
    INTS.set(bytes, at, value);
  }

  /** Appends one 64-bit integer. */
  public void putLong(long value) {
    int at = reserve(Long.BYTES);
    LONGS.set(bytes, at, value);
  }

  /** Appends {@code values[from, from + count)}. */
  public void putLongs(long[] values, int from, int count) {
    int at = reserve(Math.multiplyExact(count, Long.BYTES));
    ByteBuffer.wrap(bytes, at, count * Long.BYTES)
        .order(ByteOrder.LITTLE_ENDIAN)
        .asLongBuffer()
        .put(values, from, count);
  }

  /** Appends raw bytes. */
  public void putBytes(byte[] values) {
    int at = reserve(values.length);
    System.arraycopy(values, 0, bytes, at, values.length);
  }

  /** The bytes written so far; shares the backing array. */
  public ByteBuffer view() {
    return ByteBuffer.wrap(bytes, 0, size);
  }
}
