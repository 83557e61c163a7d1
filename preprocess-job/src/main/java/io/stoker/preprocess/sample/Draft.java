package io.stoker.preprocess.sample;

import java.util.List;

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
}
