package io.stoker.preprocess.sample;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Locale;

/** Foreign text made fit for a one-line message. */
final class Excerpt {
  private static final int MAX_CHARS = 160;

  private Excerpt() {}

  /** The text without control characters, on one line, cut after {@value #MAX_CHARS} characters. */
  static String of(String text) {
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < text.length() && out.length() < MAX_CHARS; i++) {
      char c = text.charAt(i);
      if (isSafe(c) && !Character.isSurrogate(c)) {
        out.append(c);
      } else {
        out.append("\\u%04x".formatted((int) c));
      }
    }
    return out.length() < MAX_CHARS ? out.toString() : out.append('…').toString();
  }

  /** Whether a text can stand in a message as it is. */
  static boolean isPlain(String text) {
    return text.chars().allMatch(c -> isSafe((char) c));
  }

  /** Bidirectional overrides and line separators could forge a log line as well. */
  private static boolean isSafe(char c) {
    return !Character.isISOControl(c)
        && Character.getType(c) != Character.FORMAT
        && c != '\u2028'
        && c != '\u2029';
  }

  /** The JSON type of a value, for messages: {@code "number"}. */
  static String typeOf(JsonNode node) {
    return node.getNodeType().name().toLowerCase(Locale.ROOT);
  }
}
