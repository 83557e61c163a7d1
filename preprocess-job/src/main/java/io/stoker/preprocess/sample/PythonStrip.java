package io.stoker.preprocess.sample;

/**
 * Python's {@code str.strip()}, which decides what the official code trains on. Java's own {@code
 * strip} keeps the no-break spaces and U+0085 that Python removes.
 */
final class PythonStrip {
  private PythonStrip() {}

  static String strip(String text) {
    int start = 0;
    int end = text.length();
    while (start < end && isSpace(text.charAt(start))) {
      start++;
    }
    while (end > start && isSpace(text.charAt(end - 1))) {
      end--;
    }
    return text.substring(start, end);
  }

  static boolean isBlank(String text) {
    return text.chars().allMatch(c -> isSpace((char) c));
  }

  private static boolean isSpace(char c) {
    return (c >= 0x09 && c <= 0x0D)
        || (c >= 0x1C && c <= 0x20)
        || c == 0x85
        || c == 0xA0
        || c == 0x1680
        || (c >= 0x2000 && c <= 0x200A)
        || c == 0x2028
        || c == 0x2029
        || c == 0x202F
        || c == 0x205F
        || c == 0x3000;
  }
}
