package io.stoker.preprocess.commit;

import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/**
 * Takes what may be a credential out of a manifest line before it is kept: user info of URIs and
 * signed queries. Neither kind of reference is ever fetched, so that nothing that could be repaired
 * is lost.
 */
final class Secrets {
  // A slash may be escaped in JSON; a secret key may contain one.
  private static final Pattern USER_INFO =
      Pattern.compile("(:(?:\\\\?/){2})[^@\\s\"]{0,2000}?:[^@\\s\"]{0,2000}?@");
  private static final Pattern SIGNED =
      Pattern.compile(
          "\\?[^\"\\s?]{0,4000}?(?:X-Amz-|Signature=|AWSAccessKeyId=|token=|sig=)[^\"\\s]*",
          Pattern.CASE_INSENSITIVE);

  private Secrets() {}

  /** The line without them; the same array where there are none. */
  static byte[] removed(byte[] line) {
    // One char per byte: whatever else the line holds stays as it is.
    String text = new String(line, StandardCharsets.ISO_8859_1);
    String clean = USER_INFO.matcher(text).replaceAll("$1redacted@");
    clean = SIGNED.matcher(clean).replaceAll("?redacted");
    return clean.equals(text) ? line : clean.getBytes(StandardCharsets.ISO_8859_1);
  }
}
