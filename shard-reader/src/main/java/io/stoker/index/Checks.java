package io.stoker.index;

/** What the records of the index have in common. */
final class Checks {
  private static final int MAX_NAME = 1024;

  private Checks() {}

  static void crc32c(long crc32c) {
    if (crc32c < 0 || crc32c > 0xFFFFFFFFL) {
      throw new IllegalArgumentException("crc32c: expected [0, 2^32), found " + crc32c);
    }
  }

  static void notNegative(String what, long value) {
    if (value < 0) {
      throw new IllegalArgumentException(what + ": expected at least 0, found " + value);
    }
  }

  /** A relative name that cannot leave the dataset directory, on any store. */
  static void name(String name) {
    boolean bad = name.isEmpty() || name.length() > MAX_NAME;
    for (String part : name.split("/", -1)) {
      bad |= part.isEmpty() || part.equals(".") || part.equals("..");
    }
    bad |= name.chars().anyMatch(c -> c < ' ' || c == '\\' || c == ':' || c == 0x7F);
    if (bad) {
      throw new IllegalArgumentException(
          "object name: expected a relative path, found '"
              + name.replaceAll("\\p{Cntrl}", "?")
              + "'");
    }
  }
}
