package io.stoker.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * How often each value occurs. Memory grows with the number of distinct values. Not thread-safe.
 */
final class Histogram {
  private static final int MAX_BINS = 12;
  private static final int BAR = 40;

  private final String name;
  private final String unit;
  private final NavigableMap<Long, Long> counts = new TreeMap<>();
  private long total;
  private double sum;

  /**
   * An empty one.
   *
   * @param name what is counted: {@code tokens per pack}
   * @param unit what has the values: {@code packs}
   */
  Histogram(String name, String unit) {
    this.name = name;
    this.unit = unit;
  }

  /** Values in [from, to]. */
  private record Bin(long from, long to, long count) {}

  void add(long value) {
    counts.merge(value, 1L, Long::sum);
    total++;
    sum += value;
  }

  /** The smallest value that at least this share of all values does not exceed. */
  private long quantile(double share) {
    long seen = 0;
    for (Map.Entry<Long, Long> entry : counts.entrySet()) {
      seen += entry.getValue();
      if (seen >= share * total) {
        return entry.getKey();
      }
    }
    return counts.lastKey();
  }

  private List<Bin> bins() {
    long min = counts.firstKey();
    long max = counts.lastKey();
    long width = 1;
    // 1, 2, 5, 10, 20, 50, …
    for (int i = 0; max / width - min / width >= MAX_BINS; i++) {
      width = i % 3 == 1 ? width / 2 * 5 : width * 2;
    }
    List<Bin> bins = new ArrayList<>();
    for (long from = min / width * width; from <= max; from += width) {
      long to = from + width - 1;
      long count = counts.subMap(from, true, to, true).values().stream().mapToLong(n -> n).sum();
      bins.add(new Bin(from, to, count));
    }
    return bins;
  }

  Report toReport() {
    Report report = new Report().add("count", total);
    if (total == 0) {
      return report;
    }
    List<Report> bins =
        bins().stream()
            .map(
                bin -> new Report().add("from", bin.from).add("to", bin.to).add("count", bin.count))
            .toList();
    return report
        .addJson("mean", Units.rounded(sum / total))
        .add("min", counts.firstKey())
        .add("p50", quantile(0.5))
        .add("p90", quantile(0.9))
        .add("p99", quantile(0.99))
        .add("max", counts.lastKey())
        .addJson("bins", bins);
  }

  void printText(PrintWriter out) {
    if (total == 0) {
      out.printf("%s: no %s%n", name, unit);
      return;
    }
    out.printf(
        Locale.ROOT,
        "%s: %,d %s, mean %.1f, min %,d, p50 %,d, p90 %,d, p99 %,d, max %,d%n",
        name,
        total,
        unit,
        sum / total,
        counts.firstKey(),
        quantile(0.5),
        quantile(0.9),
        quantile(0.99),
        counts.lastKey());
    List<Bin> bins = bins();
    long most = bins.stream().mapToLong(Bin::count).max().orElse(1);
    for (Bin bin : bins) {
      String range =
          bin.from == bin.to
              ? String.format(Locale.ROOT, "%,d", bin.from)
              : String.format(Locale.ROOT, "%,d to %,d", bin.from, bin.to);
      // A value that occurs at all gets a visible bar.
      int bar = (int) ((bin.count * BAR + most - 1) / most);
      out.printf(
          Locale.ROOT,
          "  %20s |%-" + BAR + "s| %,d  %s%n",
          range,
          "#".repeat(bar),
          bin.count,
          Units.percent(Units.fraction(bin.count, total)));
    }
  }
}
