package io.stoker.preprocess.manifest;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Recognises files that are not JSON lines, so that the job can refuse them and say what they are.
 */
final class ManifestType {
  private ManifestType() {}

  /** What a file with these first bytes is, or null when they may begin JSON lines. */
  static @Nullable String foreign(byte[] head) {
    if (startsWith(head, 0x1F, 0x8B)) {
      return "gzip data (decompress it first)";
    }
    if (startsWith(head, 0x28, 0xB5, 0x2F, 0xFD)) {
      return "zstd data (decompress it first)";
    }
    if (isWide(head)) {
      return "UTF-16 or UTF-32 text (convert it to UTF-8)";
    }
    if (startsWith(head, 'P', 'A', 'R', '1')) {
      return "a Parquet file";
    }
    if (startsWith(head, 'P', 'K', 3, 4)) {
      return "a zip archive";
    }
    if (head.length > 262
        && new String(head, 257, 5, StandardCharsets.ISO_8859_1).equals("ustar")) {
      return "a tar archive";
    }
    int first = nextVisible(head, startsWith(head, 0xEF, 0xBB, 0xBF) ? 3 : 0);
    if (first == head.length) {
      return null;
    }
    return switch (head[first]) {
      case '<' -> "an HTML or XML page";
      case '[' -> "a JSON array (write one record per line instead)";
      case '{' -> isPretty(head, first) ? "pretty-printed JSON (write one record per line)" : null;
      default -> null;
    };
  }

  /** A byte order mark, or the zero byte that every ASCII character has in a wide encoding. */
  private static boolean isWide(byte[] head) {
    return startsWith(head, 0xFF, 0xFE)
        || startsWith(head, 0xFE, 0xFF)
        || (head.length >= 2 && (head[0] == 0 || head[1] == 0));
  }

  /** A brace stands alone on its line, and a name on the next. No two JSON lines look like that. */
  private static boolean isPretty(byte[] head, int brace) {
    int next = nextVisible(head, brace + 1);
    if (next == head.length || head[next] != '"') {
      return false;
    }
    for (int i = brace; i < next; i++) {
      if (head[i] == '\n') {
        return true;
      }
    }
    return false;
  }

  private static int nextVisible(byte[] head, int from) {
    int i = from;
    while (i < head.length
        && (head[i] == ' ' || head[i] == '\t' || head[i] == '\r' || head[i] == '\n')) {
      i++;
    }
    return i;
  }

  private static boolean startsWith(byte[] head, int... magic) {
    if (head.length < magic.length) {
      return false;
    }
    for (int i = 0; i < magic.length; i++) {
      if ((head[i] & 0xFF) != magic[i]) {
        return false;
      }
    }
    return true;
  }
}
