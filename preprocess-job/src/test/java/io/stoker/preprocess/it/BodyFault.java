package io.stoker.preprocess.it;

import java.io.IOException;
import java.io.OutputStream;

/** What happens to a body on its way. */
interface BodyFault {
  BodyFault NONE = (out, bytes, count, position) -> out.write(bytes, 0, count);
  BodyFault SWALLOW = (out, bytes, count, position) -> {};

  /**
   * Writes some bytes of a body, or does what is wrong with them.
   *
   * @param position of the first byte in the body
   */
  void write(OutputStream out, byte[] bytes, int count, long position) throws IOException;

  /** The connection ends here, before the body does. */
  final class CutException extends IOException {
    private static final long serialVersionUID = 1L;
  }

  /** The connection ends after so many bytes. */
  static BodyFault cut(long after) {
    return (out, bytes, count, position) -> {
      if (position + count <= after) {
        out.write(bytes, 0, count);
      } else {
        out.write(bytes, 0, (int) (after - position));
        out.flush();
        throw new CutException();
      }
    };
  }

  /** One bit of the byte at a position is flipped. */
  static BodyFault flip(long at) {
    return (out, bytes, count, position) -> {
      if (at >= position && at < position + count) {
        bytes[(int) (at - position)] ^= 1;
      }
      out.write(bytes, 0, count);
    };
  }

  /** The bytes come one by one. */
  static BodyFault drip(long millisPerByte) {
    return (out, bytes, count, position) -> {
      for (int i = 0; i < count; i++) {
        out.write(bytes[i]);
        out.flush();
        sleep(millisPerByte);
      }
    };
  }

  static void sleep(long millis) throws IOException {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }
}
