package io.stoker.preprocess.sample;

import io.stoker.preprocess.reject.RejectReason;
import io.stoker.preprocess.reject.SampleRejectedException;
import io.stoker.preprocess.sample.Draft.Piece;
import java.util.ArrayList;
import java.util.List;

/** Reads user text with media tags by the rule of the official fine-tuning code. */
final class TaggedText {
  private static final String IMAGE_TAG = "<image>";
  private static final String VIDEO_TAG = "<video>";

  private TaggedText() {}

  /**
   * Splits the text at its image tags; what lies between is stripped, and dropped when nothing is
   * left. Text without tags is stripped too. Only the exact tag counts: {@code <Image>} is text.
   */
  static List<Piece> split(String text) throws SampleRejectedException {
    if (text.contains(VIDEO_TAG)) {
      throw new SampleRejectedException(
          RejectReason.UNSUPPORTED_MEDIA, "expected image tags only, found " + VIDEO_TAG);
    }
    List<Piece> pieces = new ArrayList<>();
    int start = 0;
    for (int tag = text.indexOf(IMAGE_TAG); tag >= 0; tag = text.indexOf(IMAGE_TAG, start)) {
      addText(pieces, text.substring(start, tag));
      pieces.add(new Piece.Slot(null));
      start = tag + IMAGE_TAG.length();
    }
    addText(pieces, text.substring(start));
    return pieces;
  }

  private static void addText(List<Piece> pieces, String text) {
    String stripped = PythonStrip.strip(text);
    if (!stripped.isEmpty()) {
      pieces.add(new Piece.Text(stripped));
    }
  }
}
