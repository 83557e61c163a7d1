package io.stoker.preprocess.sample;

import io.stoker.preprocess.sample.Turn.Part;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A {@link Turn} in the making. */
record Draft(Role role, List<Piece> pieces) {
  Draft {
    pieces = List.copyOf(pieces);
  }

  static Draft text(Role role, String text) {
    return new Draft(role, List.of(new Piece.Text(text)));
  }

  /** Whether there is nothing in the turn but white space. */
  boolean isEmpty() {
    return pieces.stream()
        .allMatch(piece -> piece instanceof Piece.Text text && PythonStrip.isBlank(text.text()));
  }

  /** A {@link Part} in the making: an image may not know its reference yet. */
  sealed interface Piece {
    record Text(String text) implements Piece {}

    /**
     * A place for an image.
     *
     * @param reference what the part itself names, or null when the record's media list names it
     */
    record Slot(@Nullable String reference) implements Piece {}
  }
}
