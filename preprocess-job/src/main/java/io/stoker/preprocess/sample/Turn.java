package io.stoker.preprocess.sample;

import java.util.List;

/**
 * One turn of a conversation.
 *
 * @param role the speaker
 * @param parts text and images in reading order; empty for an empty turn
 */
public record Turn(Role role, List<Part> parts) {
  public Turn {
    parts = List.copyOf(parts);
  }

  /** A piece of a turn, in reading order. */
  public sealed interface Part {
    /**
     * Text as the manifest dialect's rules leave it (stripped or verbatim).
     *
     * @param text may spell control tokens; the text stage deals with them
     */
    record Text(String text) implements Part {}

    /**
     * An image.
     *
     * @param reference the path or URI as the manifest spells it; resolved by the fetch stage
     */
    record Image(String reference) implements Part {}
  }
}
