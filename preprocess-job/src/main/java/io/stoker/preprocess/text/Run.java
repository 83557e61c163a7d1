package io.stoker.preprocess.text;

import io.stoker.preprocess.sample.Role;

/** A piece of a rendered prompt, in reading order. */
sealed interface Run {
  /** {@code <|im_start|>}. */
  record TurnStart() implements Run {}

  /**
   * Text between two control tokens, tokenised as a whole: a turn's header and what follows it
   * share a stretch, because tokens may span both.
   *
   * @param role whose turn it stands in
   * @param text the stretch
   * @param headerChars characters at its head that belong to the turn's header, or 0
   */
  record Stretch(Role role, String text, int headerChars) implements Run {}

  /** The next image: start, placeholders, end. */
  record Image() implements Run {}

  /** {@code <|im_end|>} and the newline after it. */
  record TurnEnd(Role role) implements Run {}
}
