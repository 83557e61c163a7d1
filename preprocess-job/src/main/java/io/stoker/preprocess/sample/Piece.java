package io.stoker.preprocess.sample;

import org.jspecify.annotations.Nullable;

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
