package io.stoker.preprocess.sample;

import java.util.List;

/**
 * One turn of a conversation.
 *
 * @param role who speaks
 * @param parts text and images in reading order; empty for an empty turn
 */
public record Turn(Role role, List<Part> parts) {
  public Turn {
    parts = List.copyOf(parts);
  }
}
