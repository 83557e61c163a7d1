package io.stoker.preprocess.sample;

import io.stoker.preprocess.reject.RejectReason;
import io.stoker.preprocess.reject.SampleRejectedException;

/** Text that has a UTF-8 form. */
final class UnicodeText {
  private UnicodeText() {}

  /** Refuses lone surrogates, which a JSON escape can spell. */
  static void check(String text, String where) throws SampleRejectedException {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (!Character.isSurrogate(c)) {
        continue;
      }
      if (Character.isHighSurrogate(c)
          && i + 1 < text.length()
          && Character.isLowSurrogate(text.charAt(i + 1))) {
        i++;
        continue;
      }
      throw new SampleRejectedException(
          RejectReason.BAD_TEXT,
          "expected valid Unicode in %s, found a lone surrogate at index %d".formatted(where, i));
    }
  }
}
