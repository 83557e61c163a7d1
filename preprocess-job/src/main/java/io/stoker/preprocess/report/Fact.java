package io.stoker.preprocess.report;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * One fact of a report, for programs and for people.
 *
 * @param name member of {@code report.json}
 * @param label what people read
 * @param value what the member holds: text, a number, a list or a map
 * @param text the value with its unit; empty if it is for programs alone
 * @param share of a whole, 0 to 1, drawn as a bar; {@link Double#NaN} for no bar
 * @param parts what a fact consists of that stands under a heading
 */
record Fact(String name, String label, Object value, String text, double share, List<Fact> parts) {
  private static final double MIB = 1 << 20;

  private static Fact of(String name, String label, Object value, String text) {
    return new Fact(name, label, value, text, Double.NaN, List.of());
  }

  static Fact text(String name, String label, String value) {
    return of(name, label, value, value);
  }

  static Fact number(String name, String label, long value) {
    return of(name, label, value, format("%,d", value));
  }

  static Fact bytes(String name, String label, long value) {
    return of(name, label, value, format("%.1f MiB", value / MIB));
  }

  static Fact seconds(String name, String label, double value) {
    return of(name, label, value, format("%.1f s", value));
  }

  static Fact share(String name, String label, double value) {
    return new Fact(name, label, value, format("%.1f %%", 100 * value), value, List.of());
  }

  /** So many of all rows. */
  static Fact rows(String name, long value, long all) {
    double share = (double) value / all;
    String text = format("%,d, %.2f %% of the rows", value, 100 * share);
    return new Fact(name, name, value, text, share, List.of());
  }

  /** The time of one stage. */
  static Fact stage(String name, double seconds, double share) {
    Map<String, Double> value = new LinkedHashMap<>();
    value.put("busy-seconds", seconds);
    value.put("share", share);
    String text = format("%.3f s, %.1f %%", seconds, 100 * share);
    return new Fact(name, name, value, text, share, List.of());
  }

  /** A list for programs alone. */
  static Fact list(String name, List<String> value) {
    return of(name, name, value, "");
  }

  /** Facts under a heading. */
  static Fact group(String name, String label, List<Fact> parts) {
    return new Fact(name, label, members(parts), "", Double.NaN, parts);
  }

  /** The members of a JSON object that holds the facts. */
  static Map<String, Object> members(List<Fact> facts) {
    Map<String, Object> members = new LinkedHashMap<>();
    facts.forEach(fact -> members.put(fact.name(), fact.value()));
    return members;
  }

  private static String format(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
