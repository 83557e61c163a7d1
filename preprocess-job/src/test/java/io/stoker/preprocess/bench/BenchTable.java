package io.stoker.preprocess.bench;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Prints the figures of a benchmark as they come, and writes them to {@code target/bench/} at its
 * end.
 */
public final class BenchTable {
  private record Row(String name, String figure, double value, String unit) {}

  private final String benchmark;
  private final List<Row> rows = new ArrayList<>();

  /**
   * @param benchmark its name, which the file has too
   */
  public BenchTable(String benchmark) {
    this.benchmark = benchmark;
  }

  /** Keeps a figure that is printed elsewhere. */
  public void keep(String name, String figure, double value, String unit) {
    rows.add(new Row(name, figure, value, unit));
  }

  void add(String name, String figure, double value, String unit) {
    keep(name, figure, value, unit);
    System.out.printf(Locale.ROOT, "  %-30s %-34s %10.3f %s%n", name, figure, value, unit);
  }

  /** Writes all figures as JSON. */
  public void write() throws IOException {
    Path directory = Files.createDirectories(Path.of(System.getProperty("stoker.bench.out")));
    Path file = directory.resolve(benchmark + ".json");
    try (JsonGenerator json =
        new JsonFactory()
            .createGenerator(Files.newBufferedWriter(file))
            .useDefaultPrettyPrinter()) {
      json.writeStartObject();
      json.writeStringField("benchmark", benchmark);
      json.writeStringField("java", System.getProperty("java.vm.version"));
      json.writeNumberField("processors", Runtime.getRuntime().availableProcessors());
      json.writeArrayFieldStart("figures");
      for (Row row : rows) {
        json.writeStartObject();
        json.writeStringField("case", row.name);
        json.writeStringField("figure", row.figure);
        json.writeNumberField("value", row.value);
        json.writeStringField("unit", row.unit);
        json.writeEndObject();
      }
      json.writeEndArray();
      json.writeEndObject();
    }
  }
}
