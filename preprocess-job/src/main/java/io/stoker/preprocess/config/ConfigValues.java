package io.stoker.preprocess.config;

import io.stoker.common.Durations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.apache.commons.text.similarity.LevenshteinDistance;
import org.apache.hadoop.util.StringUtils;

/**
 * Typed access to configuration values. Problems are collected, not thrown, so that a user sees all
 * of them at once; a getter with a problem returns its key's default.
 */
final class ConfigValues {
  // A comma inside braces belongs to a glob.
  private static final Pattern LIST_COMMA = Pattern.compile(",(?![^{}]*})");

  private final Map<String, String> values;
  private final List<String> problems = new ArrayList<>();

  ConfigValues(Map<String, String> values) {
    this.values = values;
    List<String> known = Arrays.stream(ConfigKey.values()).map(ConfigKey::key).toList();
    for (String key : values.keySet().stream().sorted().toList()) {
      if (!known.contains(key)) {
        problems.add("unknown key '%s'; did you mean '%s'?".formatted(key, nearest(key, known)));
      }
    }
  }

  private static String nearest(String key, List<String> known) {
    LevenshteinDistance distance = LevenshteinDistance.getDefaultInstance();
    return known.stream()
        .min(Comparator.comparingInt(candidate -> distance.apply(key, candidate)))
        .orElseThrow();
  }

  private <T> T get(ConfigKey key, String expected, Function<String, T> parser) {
    String value = values.getOrDefault(key.key(), key.defaultValue()).strip();
    try {
      return parser.apply(value);
    } catch (RuntimeException e) {
      problem(key, expected, value);
      return parser.apply(key.defaultValue());
    }
  }

  private void problem(ConfigKey key, String expected, String found) {
    problems.add("%s: expected %s, found '%s'".formatted(key.key(), expected, found));
  }

  String string(ConfigKey key) {
    return get(key, "text", value -> value);
  }

  String required(ConfigKey key, String expected) {
    String value = string(key);
    if (value.isEmpty()) {
      problems.add("%s: expected %s, found nothing".formatted(key.key(), expected));
      return key.defaultValue();
    }
    return value;
  }

  List<String> list(ConfigKey key) {
    return get(
        key,
        "a comma-separated list",
        value ->
            LIST_COMMA
                .splitAsStream(value)
                .map(String::strip)
                .filter(item -> !item.isEmpty())
                .toList());
  }

  boolean flag(ConfigKey key) {
    return get(
        key,
        "true or false",
        value ->
            switch (value.toLowerCase(Locale.ROOT)) {
              case "true" -> true;
              case "false" -> false;
              default -> throw new IllegalArgumentException(value);
            });
  }

  long number(ConfigKey key, long min, long max) {
    return get(
        key,
        "a whole number from %d to %d".formatted(min, max),
        value -> inRange(Long.parseLong(value), min, max));
  }

  int integer(ConfigKey key, int min) {
    return (int) number(key, min, Integer.MAX_VALUE);
  }

  /** Like {@link #number(ConfigKey, long, long)}; an empty value means {@code fallback}. */
  long number(ConfigKey key, long min, long max, long fallback) {
    return get(
        key,
        "nothing or a whole number from %d to %d".formatted(min, max),
        value -> value.isEmpty() ? fallback : inRange(Long.parseLong(value), min, max));
  }

  long bytes(ConfigKey key, long min, long max) {
    return get(
        key,
        "a size from %d bytes to %d bytes, such as 512m".formatted(min, max),
        value -> inRange(StringUtils.TraditionalBinaryPrefix.string2long(value), min, max));
  }

  double fraction(ConfigKey key) {
    return get(
        key,
        "a number from 0 to 1",
        value -> {
          double number = Double.parseDouble(value);
          if (!(number >= 0 && number <= 1)) {
            throw new IllegalArgumentException(value);
          }
          return number;
        });
  }

  Duration duration(ConfigKey key) {
    return get(key, "a duration such as 30s", Durations::parse);
  }

  Duration positiveDuration(ConfigKey key) {
    return get(
        key,
        "a duration such as 30s, not 0",
        value -> {
          Duration duration = Durations.parse(value);
          if (duration.isZero()) {
            throw new IllegalArgumentException(value);
          }
          return duration;
        });
  }

  <E extends Enum<E>> E choice(ConfigKey key, Class<E> type) {
    return get(
        key,
        "one of " + names(type),
        value -> Enum.valueOf(type, value.toUpperCase(Locale.ROOT).replace('-', '_')));
  }

  /** One of the names, in lower case. */
  String choice(ConfigKey key, List<String> names) {
    return get(
        key,
        "one of " + String.join(", ", names),
        value -> {
          String name = value.toLowerCase(Locale.ROOT);
          if (!names.contains(name)) {
            throw new IllegalArgumentException(value);
          }
          return name;
        });
  }

  <E extends Enum<E>> List<E> choices(ConfigKey key, Class<E> type) {
    return get(
        key,
        "some of " + names(type),
        value ->
            Arrays.stream(value.split(","))
                .map(name -> Enum.valueOf(type, name.strip().toUpperCase(Locale.ROOT)))
                .toList());
  }

  private static <E extends Enum<E>> String names(Class<E> type) {
    return String.join(
        ", ",
        Arrays.stream(type.getEnumConstants())
            .map(constant -> constant.name().toLowerCase(Locale.ROOT).replace('_', '-'))
            .toList());
  }

  private static long inRange(long value, long min, long max) {
    if (value < min || value > max) {
      throw new IllegalArgumentException(Long.toString(value));
    }
    return value;
  }

  /** Adds a problem that a stage's own settings found. */
  void problem(String text) {
    problems.add(text);
  }

  void throwIfProblems() throws ConfigException {
    if (!problems.isEmpty()) {
      throw new ConfigException(problems);
    }
  }
}
