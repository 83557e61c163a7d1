package io.stoker.preprocess.decode;

import io.stoker.preprocess.reject.RejectReason;
import io.stoker.preprocess.reject.SampleRejectedException;

/** Makes the two rejections that most of this package throws. */
final class Reject {
  private Reject() {}

  static SampleRejectedException corrupt(String detail) {
    return new SampleRejectedException(RejectReason.IMAGE_CORRUPT, detail);
  }

  static SampleRejectedException unsupported(String detail) {
    return new SampleRejectedException(RejectReason.UNSUPPORTED_FORMAT, detail);
  }
}
