package io.stoker.cli;

import java.time.Duration;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** {@code 50ms}, {@code 2s}. */
final class DurationConverter implements ITypeConverter<Duration> {
  @Override
  public Duration convert(String value) {
    try {
      if (value.endsWith("ms")) {
        return Duration.ofMillis(Long.parseLong(value.substring(0, value.length() - 2)));
      }
      if (value.endsWith("s")) {
        return Duration.ofSeconds(Long.parseLong(value.substring(0, value.length() - 1)));
      }
    } catch (NumberFormatException e) {
      throw new TypeConversionException("expected a duration such as 50ms, found " + value);
    }
    throw new TypeConversionException("expected a duration such as 50ms, found " + value);
  }
}
