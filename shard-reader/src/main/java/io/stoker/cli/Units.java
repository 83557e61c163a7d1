package io.stoker.cli;

import java.util.Locale;

/** Words numbers for people. */
final class Units {
  private static final String[] BYTES = {"KiB", "MiB", "GiB", "TiB", "PiB"};

  private Units() {}

  /** {@code 17.5 KiB}. */
  static String bytes(long bytes) {
    if (bytes < 1024) {
      return bytes + " B";
    }
    double value = bytes / 1024.0;
    int unit = 0;
    while (value >= 1024 && unit < BYTES.length - 1) {
      value /= 1024;
      unit++;
    }
    return String.format(Locale.ROOT, "%.1f %s", value, BYTES[unit]);
  }

  /** {@code 66.7 %}. */
  static String percent(double fraction) {
    return String.format(Locale.ROOT, "%.1f %%", 100 * fraction);
  }

  /** A part of a whole; 0 if the whole is 0. */
  static double fraction(long part, long whole) {
    return whole == 0 ? 0 : (double) part / whole;
  }

  /** A fraction with as many digits as mean something. */
  static double rounded(double value) {
    return Math.round(value * 1e4) / 1e4;
  }
}
