package io.stoker.common;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Durations as users write them: {@code 50ms}, {@code 30s}, {@code 5m} or {@code 5min}, {@code 2h}.
 */
public final class Durations {
  private static final Pattern DURATION = Pattern.compile("(\\d+)\\s*(ms|s|m|min|h)");

  private Durations() {}

  /**
   * Reads a duration.
   *
   * @throws IllegalArgumentException if the text is none
   * @throws ArithmeticException if it is too long for a {@link Duration}
   */
  public static Duration parse(String text) {
    Matcher matcher = DURATION.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException("expected a duration such as 30s, found " + text);
    }
    long number = Long.parseLong(matcher.group(1));
    return switch (matcher.group(2)) {
      case "ms" -> Duration.ofMillis(number);
      case "s" -> Duration.ofSeconds(number);
      case "h" -> Duration.ofHours(number);
      default -> Duration.ofMinutes(number);
    };
  }
}
