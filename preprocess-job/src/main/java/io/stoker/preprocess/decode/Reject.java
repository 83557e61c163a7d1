package io.stoker.preprocess.decode;

import io.stoker.preprocess.reject.RejectReason;
import io.stoker.preprocess.reject.SampleRejectedException;

/** The rejections of this package, ready to throw. */
final class Reject {
  private static final int MAX_QUOTED = 160;

  private Reject() {}

  static SampleRejectedException corrupt(String detail) {
    return new SampleRejectedException(RejectReason.IMAGE_CORRUPT, detail);
  }

  static SampleRejectedException unsupported(String detail) {
    return new SampleRejectedException(RejectReason.UNSUPPORTED_FORMAT, detail);
  }

  /** One printable line from a message that was written elsewhere. */
  static String quote(String message) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < message.length() && line.length() < MAX_QUOTED; i++) {
      char c = message.charAt(i);
      line.append(c >= ' ' && c < 0x7F ? c : ' ');
    }
    return line.toString().strip();
  }
}
