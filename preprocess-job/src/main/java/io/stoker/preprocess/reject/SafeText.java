package io.stoker.preprocess.reject;

import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/**
 * Text of strangers made fit for messages, logs and the quarantine: it stays on one line, it is
 * short, and it holds no secret.
 */
public final class SafeText {
  private static final int MAX_EXCERPT = 160;
  private static final int MAX_REFERENCE = 200;

  // A slash may be escaped in JSON; a secret key may contain one.
  private static final Pattern USER_INFO =
      Pattern.compile("(:(?:\\\\?/){2})[^@\\s\"]{0,2000}?:[^@\\s\"]{0,2000}?@");
  private static final Pattern SIGNED =
      Pattern.compile(
          "\\?[^\"\\s?]{0,4000}?(?:X-Amz-|Signature=|AWSAccessKeyId=|token=|sig=)[^\"\\s]*",
          Pattern.CASE_INSENSITIVE);

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
    return text.chars().allMatch(c -> isSafe((char) c));
  }

  /** Bidirectional overrides and line separators could forge a log line as well. */
  private static boolean isSafe(char c) {
    return !Character.isISOControl(c)
        && Character.getType(c) != Character.FORMAT
        && c != '\u2028'
        && c != '\u2029';
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
    String safe =
        text
            // A secret key may itself contain slashes.
            .replaceAll("(?s)://(?:[^/@]*|[^@]*:.*)@", "://…@")
            .replaceAll("([?&][^=&]*=)[^&]*", "$1…")
            .replaceAll("[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}]", "�");
    if (safe.codePointCount(0, safe.length()) <= MAX_REFERENCE) {
      return safe;
    }
    return safe.substring(0, safe.offsetByCodePoints(0, MAX_REFERENCE)) + "…";
  }

  /**
   * A manifest line without what may be a credential: user info of URIs and signed queries. Neither
   * kind of reference is ever fetched, so that nothing is lost that could be repaired.
   *
   * @return the same array if there is nothing to take out
   */
  public static byte[] withoutSecrets(byte[] line) {
    // One char per byte: whatever else the line holds stays as it is.
    String text = new String(line, StandardCharsets.ISO_8859_1);
    String clean = USER_INFO.matcher(text).replaceAll("$1redacted@");
    clean = SIGNED.matcher(clean).replaceAll("?redacted");
    return clean.equals(text) ? line : clean.getBytes(StandardCharsets.ISO_8859_1);
  }
}
