package io.stoker.preprocess.decode;

import io.stoker.preprocess.reject.RejectReason;
import io.stoker.preprocess.reject.SampleRejectedException;

/** The rejections of this package, ready to throw. */
final class Reject {
  private Reject() {}

  static SampleRejectedException corrupt(String detail) {
    return new SampleRejectedException(RejectReason.IMAGE_CORRUPT, detail);
  }

  static SampleRejectedException unsupported(String detail) {
    return new SampleRejectedException(RejectReason.UNSUPPORTED_FORMAT, detail);
  }
}
