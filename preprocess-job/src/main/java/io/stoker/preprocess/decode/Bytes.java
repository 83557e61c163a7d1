package io.stoker.preprocess.decode;

import io.stoker.preprocess.reject.SampleRejectedException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * A window on untrusted bytes. Every read is checked against the window with long arithmetic;
 * offsets count from the start of the window.
 *
 * @param array the bytes, not copied
 * @param from first index of the window
 * @param length bytes in the window
 * @param what what the window holds, for messages: "JPEG file"
 */
@SuppressWarnings("ArrayRecordComponent") // a view that nobody compares
record Bytes(byte[] array, int from, int length, String what) {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long LOW_BITS = 0x0101_0101_0101_0101L;
  private static final long HIGH_BITS = 0x8080_8080_8080_8080L;

  Bytes {
    if (from < 0 || length < 0 || from > array.length - length) {
      throw new IllegalArgumentException(
          "expected a window in %d bytes, found %d+%d".formatted(array.length, from, length));
    }
  }

  static Bytes of(byte[] array, String what) {
    return new Bytes(array, 0, array.length, what);
  }

  Bytes slice(long offset, long size, String part) throws SampleRejectedException {
    check(offset, size);
    return new Bytes(array, from + (int) offset, (int) size, part);
  }

  int u8(long offset) throws SampleRejectedException {
    check(offset, 1);
    return array[from + (int) offset] & 0xFF;
  }

  int u16(long offset, boolean bigEndian) throws SampleRejectedException {
    int first = u8(offset);
    int second = u8(offset + 1);
    return bigEndian ? first << 8 | second : second << 8 | first;
  }

  long u32(long offset, boolean bigEndian) throws SampleRejectedException {
    long first = u16(offset, bigEndian);
    long second = u16(offset + 2, bigEndian);
    return bigEndian ? first << 16 | second : second << 16 | first;
  }

  int u24Little(long offset) throws SampleRejectedException {
    return u16(offset, false) | u8(offset + 2) << 16;
  }

  /** Four characters, one per byte. */
  String tag(long offset) throws SampleRejectedException {
    check(offset, 4);
    return new String(array, from + (int) offset, 4, StandardCharsets.ISO_8859_1);
  }

  /** Whether the window holds this text, one byte per character, at the offset. */
  boolean has(long offset, String text) {
    if (offset < 0 || offset > (long) length - text.length()) {
      return false;
    }
    for (int i = 0; i < text.length(); i++) {
      if ((array[from + (int) offset + i] & 0xFF) != text.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  /**
   * Whether the window begins with this text, one byte per character.
   *
   * @param any the character that every byte matches
   */
  boolean matches(String text, char any) {
    if (length < text.length()) {
      return false;
    }
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) != any && (array[from + i] & 0xFF) != text.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  /** The offset of the first such byte at or after {@code start}, or -1. */
  int indexOf(int value, long start) {
    int at = (int) Math.max(0, Math.min(start, length));
    // Eight at a time: a photo is searched for its markers from one end to the other.
    long pattern = value * LOW_BITS;
    for (; at <= length - 8; at += 8) {
      long difference = (long) LONGS.get(array, from + at) ^ pattern;
      long zeros = (difference - LOW_BITS) & ~difference & HIGH_BITS;
      if (zeros != 0) {
        return at + Long.numberOfTrailingZeros(zeros) / 8;
      }
    }
    for (; at < length; at++) {
      if ((array[from + at] & 0xFF) == value) {
        return at;
      }
    }
    return -1;
  }

  /** The window as text, one character per byte. */
  String text() {
    return new String(array, from, length, StandardCharsets.ISO_8859_1);
  }

  private void check(long offset, long size) throws SampleRejectedException {
    if (offset < 0 || size < 0 || offset > length - size) {
      throw Reject.corrupt(
          "expected %d bytes at offset %d of the %s, found its end at %d"
              .formatted(size, offset, what, length));
    }
  }
}
