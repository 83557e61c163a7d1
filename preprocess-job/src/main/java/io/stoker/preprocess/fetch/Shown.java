package io.stoker.preprocess.fetch;

/** References and keys made fit for a message: no secrets, one line, not too long. */
final class Shown {
  private static final int MAX_CHARS = 200;

  private Shown() {}

  /**
   * The text without user info and values of query parameters, which may be secrets, and without
   * characters that could forge a line of a log.
   */
  static String of(String text) {
    String safe =
        text
            // A secret key may itself contain slashes.
            .replaceAll("(?s)://(?:[^/@]*|[^@]*:.*)@", "://…@")
            .replaceAll("([?&][^=&]*=)[^&]*", "$1…")
            .replaceAll("[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}]", "�");
    if (safe.codePointCount(0, safe.length()) <= MAX_CHARS) {
      return safe;
    }
    return safe.substring(0, safe.offsetByCodePoints(0, MAX_CHARS)) + "…";
  }
}
