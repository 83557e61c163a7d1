package io.stoker.preprocess.reject;

/**
 * Text of strangers made fit for messages, logs and the quarantine: it stays on one line, it is
 * short, and it holds no secret.
 */
public final class SafeText {
  private static final int MAX_EXCERPT = 160;
  private static final int MAX_REFERENCE = 200;

  private SafeText() {}

  /**
   * An excerpt of a text that a person wrote: escapes stand for characters that could forge a line
   * of a log, and the text is cut after {@value #MAX_EXCERPT} characters.
   */
  public static String excerpt(String text) {
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < text.length() && out.length() < MAX_EXCERPT; i++) {
      char c = text.charAt(i);
      if (isSafe(c) && !Character.isSurrogate(c)) {
        out.append(c);
      } else {
        out.append("\\u%04x".formatted((int) c));
      }
    }
    return out.length() < MAX_EXCERPT ? out.toString() : out.append('…').toString();
  }

  /** Whether a text can stand in a message as it is. */
  public static boolean isPlain(String text) {
    return text.chars().allMatch(c -> isSafe(c));
  }

  /** Bidirectional overrides and line separators could forge a log line as well. */
  private static boolean isSafe(int codePoint) {
    return switch (Character.getType(codePoint)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          false;
      default -> true;
    };
  }

  /**
   * A message of a library, or bytes of a file: spaces stand for what is not printable ASCII, and
   * the text is cut after {@value #MAX_EXCERPT} characters.
   */
  public static String ascii(String message) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < message.length() && line.length() < MAX_EXCERPT; i++) {
      char c = message.charAt(i);
      line.append(c >= ' ' && c < 0x7F ? c : ' ');
    }
    return line.toString().strip();
  }

  /**
   * A reference or a key without user info and without the values of query parameters, which may be
   * secrets, and without characters that could forge a line of a log. It is cut after {@value
   * #MAX_REFERENCE} characters.
   */
  public static String reference(String text) {
    String safe = withoutValues(withoutUserInfo(text));
    StringBuilder out = new StringBuilder();
    int length = 0;
    for (int i = 0; i < safe.length(); i = safe.offsetByCodePoints(i, 1)) {
      if (length++ == MAX_REFERENCE) {
        return out.append('…').toString();
      }
      int c = safe.codePointAt(i);
      out.appendCodePoint(isSafe(c) && Character.getType(c) != Character.SURROGATE ? c : '\uFFFD');
    }
    return out.toString();
  }

  private static String withoutUserInfo(String text) {
    StringBuilder out = new StringBuilder();
    int copied = 0;
    int at = -1;
    int start = afterSeparator(text, 0);
    while (start >= 0) {
      if (at < start) {
        at = text.indexOf('@', start);
      }
      if (at < 0) {
        break;
      }
      int end = endOfUserInfo(text, start, at);
      if (end >= 0) {
        out.append(text, copied, start).append('…');
        copied = end;
      }
      // Without user info before it, the at sign is part of a path, and so is all before it.
      start = afterSeparator(text, Math.max(at, end));
    }
    return out.append(text, copied, text.length()).toString();
  }

  /** The offset behind the next {@code ://}, or -1. */
  private static int afterSeparator(String text, int from) {
    int found = text.indexOf("://", from);
    return found < 0 ? -1 : found + 3;
  }

  /**
   * The at sign that ends the user info, or -1 if there is none. A secret key may contain slashes
   * and at signs.
   *
   * @param at the first at sign behind {@code start}
   */
  private static int endOfUserInfo(String text, int start, int at) {
    if (text.substring(start, at).indexOf('/') >= 0) {
      return text.substring(start, at).indexOf(':') < 0 ? -1 : text.lastIndexOf('@');
    }
    int end = at;
    for (int i = at; i < text.length() && "/?#".indexOf(text.charAt(i)) < 0; i++) {
      if (text.charAt(i) == '@') {
        end = i;
      }
    }
    return end;
  }

  private static String withoutValues(String text) {
    StringBuilder out = new StringBuilder();
    int copied = 0;
    int i = 0;
    while (i < text.length()) {
      if (text.charAt(i) == '?' || text.charAt(i) == '&') {
        int end = i + 1;
        while (end < text.length() && text.charAt(end) != '=' && text.charAt(end) != '&') {
          end++;
        }
        if (end < text.length() && text.charAt(end) == '=') {
          out.append(text, copied, end + 1).append('…');
          int next = text.indexOf('&', end);
          end = next < 0 ? text.length() : next;
          copied = end;
        }
        i = end;
      } else {
        i++;
      }
    }
    return out.append(text, copied, text.length()).toString();
  }

  /**
   * A manifest line without what may be a credential: user info of URIs, and queries with a
   * signature, a token or a key. Neither kind of reference is ever fetched, so that nothing is lost
   * that could be repaired. Escapes count as the characters that they stand for.
   *
   * @return the same array if there is nothing to take out
   */
  public static byte[] withoutSecrets(byte[] line) {
    return SecretFilter.filter(line);
  }
}
