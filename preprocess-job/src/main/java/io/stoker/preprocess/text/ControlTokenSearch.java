package io.stoker.preprocess.text;

import io.stoker.preprocess.reject.RejectReason;
import io.stoker.preprocess.reject.SampleRejectedException;
import io.stoker.preprocess.sample.Turn;
import io.stoker.preprocess.sample.Turn.Part;
import io.stoker.preprocess.text.TokenizerFile.AddedToken;
import java.util.List;

/** Finds control tokens spelled in text. Immutable. */
final class ControlTokenSearch {
  private final List<String> special;

  ControlTokenSearch(TokenizerFile file) {
    this.special =
        file.addedTokens().stream().filter(AddedToken::special).map(AddedToken::content).toList();
  }

  /**
   * Refuses turns of any role that spell a control token, also one that is split over neighbouring
   * text parts, because those become one stretch.
   */
  void refuse(List<Turn> turns) throws SampleRejectedException {
    for (Turn turn : turns) {
      StringBuilder text = new StringBuilder();
      for (Part part : turn.parts()) {
        if (part instanceof Part.Text piece) {
          text.append(piece.text());
        } else {
          // An image separates texts. No control token holds a newline, so it separates them here.
          text.append('\n');
        }
      }
      for (String token : special) {
        if (text.indexOf(token) >= 0) {
          throw new SampleRejectedException(
              RejectReason.CONTROL_TOKEN_IN_TEXT,
              "expected no control token in text, found %s in a turn of %s"
                  .formatted(token, turn.role()));
        }
      }
    }
  }
}
