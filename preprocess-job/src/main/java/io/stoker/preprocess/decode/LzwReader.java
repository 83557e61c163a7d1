package io.stoker.preprocess.decode;

import io.stoker.preprocess.reject.SampleRejectedException;

/**
 * The palette indices of a GIF frame, one by one, from its LZW data.
 *
 * <p>Work and memory are bounded: every index costs a step, and the table has 4096 entries.
 */
final class LzwReader {
  static final int MAX_CODE_BITS = 12;
  private static final int TABLE = 1 << MAX_CODE_BITS;

  private final Bytes file;
  private final int literalBits;
  private final int clear;

  private final byte[] last = new byte[TABLE];
  private final int[] prefix = new int[TABLE];
  private final byte[] pending = new byte[TABLE + 1];
  private int pendingCount;

  private long at;
  private int blockLeft;
  private int bits;
  private int bitCount;

  private int codeBits;
  private int next;
  private int previous;
  private byte previousFirst;

  LzwReader(Bytes file, long dataOffset, int literalBits) throws SampleRejectedException {
    if (literalBits > MAX_CODE_BITS) {
      throw Reject.corrupt("expected GIF codes of at most 12 bits, found " + literalBits);
    }
    this.file = file;
    this.at = dataOffset;
    this.literalBits = literalBits;
    this.clear = 1 << literalBits;
    reset();
  }

  /** The next index, 0 to 255. */
  int read() throws SampleRejectedException {
    if (pendingCount == 0) {
      fill();
    }
    return pending[--pendingCount] & 0xFF;
  }

  private void reset() {
    codeBits = literalBits + 1;
    next = clear + 2;
    previous = -1;
  }

  /** Decodes one code; its indices stand in {@code pending}, the last one first. */
  private void fill() throws SampleRejectedException {
    int code = code();
    while (code == clear) {
      reset();
      code = code();
    }
    if (code == clear + 1) {
      throw Reject.corrupt("expected more pixels in the GIF, found the end code");
    }
    if (previous < 0 ? code > clear : code > next) {
      throw Reject.corrupt("expected a GIF code up to %d, found %d".formatted(next, code));
    }
    int at = code;
    if (previous >= 0 && code == next) {
      pending[pendingCount++] = previousFirst;
      at = previous;
    }
    while (at >= clear && previous >= 0) {
      if (at >= TABLE || pendingCount >= TABLE) {
        throw Reject.corrupt("expected a GIF code of the table, found " + code);
      }
      pending[pendingCount++] = last[at];
      at = prefix[at];
    }
    byte first = (byte) at;
    pending[pendingCount++] = first;
    if (previous >= 0 && next < TABLE) {
      last[next] = first;
      prefix[next] = previous;
      if (next == (1 << codeBits) - 1 && codeBits < MAX_CODE_BITS) {
        codeBits++;
      }
      next++;
    }
    previous = code;
    previousFirst = first;
  }

  private int code() throws SampleRejectedException {
    while (bitCount < codeBits) {
      // Like Pillow, read on over an empty sub-block: a missing pixel then ends in an error.
      while (blockLeft == 0) {
        blockLeft = file.u8(at++);
        file.slice(at, blockLeft, "GIF file"); // a sub-block must be whole
      }
      bits |= file.u8(at++) << bitCount;
      blockLeft--;
      bitCount += 8;
    }
    int code = bits & ((1 << codeBits) - 1);
    bits >>>= codeBits;
    bitCount -= codeBits;
    return code;
  }
}
