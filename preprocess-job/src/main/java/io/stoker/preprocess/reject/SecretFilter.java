package io.stoker.preprocess.reject;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * One pass over a manifest line that takes out the user info of URIs and every query with a
 * parameter whose name speaks of a secret.
 *
 * <p>The line need not be JSON, but escapes are read as JSON reads them, because an at sign can be
 * spelled <code>&#92;u0040</code>. The filter sees each character once and keeps a few of them at
 * most, so that its time grows with the length of the line and with nothing else. Regular
 * expressions took minutes for a line of 100 kB.
 */
final class SecretFilter {
  /** Ends of parameter names whose values may be secrets. */
  private static final List<String> NAMES =
      List.of(
          "sig",
          "signature",
          "token",
          "key",
          "keyid",
          "secret",
          "password",
          "passwd",
          "pwd",
          "credential",
          "credentials");

  /** Signed queries of Amazon and Google, whatever follows. */
  private static final List<String> PREFIXES = List.of("x-amz-", "x-goog-");

  private static final String ESCAPED_EQUALS = "%3d";
  private static final int LONGEST_NAME = 32;

  private final byte[] line;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  /** The line before this offset is in {@code out}, or left out. */
  private int copied;

  /** Offset behind the character that was read last. */
  private int next;

  /** How many characters of {@code ://} were just read. */
  private int separator;

  /** Offset behind a {@code ://} whose at sign may still come, or -1. */
  private int userInfo = -1;

  private boolean slash;
  private boolean colon;

  /** Whether user info was left out and its host has not ended yet. */
  private boolean inHost;

  /** Offset of the question mark of a query, or -1. */
  private int query = -1;

  /** The last characters of the query, in lower case. */
  private final StringBuilder name = new StringBuilder();

  private boolean isSecret;

  private SecretFilter(byte[] line) {
    this.line = line;
  }

  /** The line without secrets; the same array if there are none. */
  static byte[] filter(byte[] line) {
    return new SecretFilter(line).filtered();
  }

  private byte[] filtered() {
    for (int at = 0; at < line.length; at = next) {
      char c = read(at);
      if (c == '"' || c <= ' ') {
        endOfWord(at);
      } else {
        findUserInfo(at, c);
        findQuery(at, c);
      }
    }
    endOfWord(line.length);
    if (copied == 0) {
      return line;
    }
    out.write(line, copied, line.length - copied);
    return out.toByteArray();
  }

  /**
   * The character at an offset. JSON inside a JSON string has its backslashes doubled, so that any
   * number of them counts as one escape.
   */
  private char read(int at) {
    next = at + 1;
    if (line[at] != '\\') {
      return (char) (line[at] & 0xFF);
    }
    while (next < line.length && line[next] == '\\') {
      next++;
    }
    if (next == line.length) {
      return '\\';
    }
    boolean single = next == at + 1;
    char c = (char) (line[next++] & 0xFF);
    if (c == 'u') {
      int value = hex(next);
      if (value >= 0) {
        next += 4;
        return (char) value;
      }
    }
    return single && "bfnrt".indexOf(c) >= 0 ? ' ' : c;
  }

  /** The value of four hexadecimal digits, or -1. */
  private int hex(int from) {
    if (from > line.length - 4) {
      return -1;
    }
    int value = 0;
    for (int i = from; i < from + 4; i++) {
      int digit = line[i] < 0 ? -1 : Character.digit((char) line[i], 16);
      if (digit < 0) {
        return -1;
      }
      value = value << 4 | digit;
    }
    return value;
  }

  /** A secret key may contain slashes; without a colon, the part before a slash is a host. */
  private void findUserInfo(int at, char c) {
    if (c == '@') {
      if (inHost) {
        copied = at; // the password itself had an at sign
      } else if (userInfo >= 0 && (colon || !slash) && !(isSecret && query < userInfo)) {
        leaveOut(userInfo, at, "redacted");
        inHost = true;
      }
      userInfo = -1;
    } else if (c == '/' || c == '?' || c == '#') {
      inHost = false;
    }
    slash |= c == '/';
    colon |= c == ':';
    separator = c == ':' ? 1 : c == '/' && separator > 0 ? separator + 1 : 0;
    if (separator == 3) {
      separator = 0;
      if (userInfo < 0) {
        userInfo = next;
        slash = false;
        colon = false;
      }
    }
  }

  private void findQuery(int at, char c) {
    if (isSecret) {
      return;
    }
    if (c == '?') {
      query = at;
      name.setLength(0);
    } else if (query >= 0) {
      if (name.length() == 2 * LONGEST_NAME) {
        name.delete(0, LONGEST_NAME);
      }
      name.append(c < 0x80 ? Character.toLowerCase(c) : c);
      isSecret =
          switch (c) {
            case '=' -> endsIn(NAMES, name.length() - 1);
            case '-' -> endsIn(PREFIXES, name.length());
            case 'd', 'D' ->
                endsIn(List.of(ESCAPED_EQUALS), name.length())
                    && endsIn(NAMES, name.length() - ESCAPED_EQUALS.length());
            default -> false;
          };
    }
  }

  /** Whether the characters before {@code end} of the query end in one of the texts. */
  private boolean endsIn(List<String> texts, int end) {
    for (String text : texts) {
      int start = end - text.length();
      if (start >= 0 && name.indexOf(text, start) == start) {
        return true;
      }
    }
    return false;
  }

  /** Neither user info nor a query goes on behind white space or a quotation mark. */
  private void endOfWord(int at) {
    if (isSecret) {
      leaveOut(query, at, "?redacted");
    }
    separator = 0;
    userInfo = -1;
    inHost = false;
    query = -1;
    isSecret = false;
  }

  private void leaveOut(int from, int to, String instead) {
    // A query may begin in user info that is left out already.
    out.write(line, copied, Math.max(0, from - copied));
    out.writeBytes(instead.getBytes(StandardCharsets.US_ASCII));
    copied = to;
  }
}
