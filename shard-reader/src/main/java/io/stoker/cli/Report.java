package io.stoker.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Named values in order, printed as lines of text or as one JSON object. JSON keys are spelled with
 * dashes; the text has spaces instead. Not thread-safe.
 */
final class Report {
  private static final int MIN_LABEL_WIDTH = 20;
  private static final String INDENT = "  ";

  private final List<Entry> entries = new ArrayList<>();

  // An entry without a text appears in JSON only.
  private record Entry(String key, Object value, @Nullable String text) {}

  /** A number. */
  Report add(String key, long value) {
    return add(key, value, String.format(Locale.ROOT, "%,d", value));
  }

  /** A string. */
  Report add(String key, String value) {
    return add(key, value, value);
  }

  /** A value that the text words in its own way. */
  Report add(String key, Object value, String text) {
    entries.add(new Entry(key, value, text));
    return this;
  }

  /** A section of strings or numbers; an empty one is left out of the text. */
  Report add(String key, Map<String, ?> values) {
    Report section = new Report();
    values.forEach(
        (name, value) -> {
          if (value instanceof Long number) {
            section.add(name, (long) number);
          } else {
            section.add(name, value.toString());
          }
        });
    entries.add(new Entry(key, section, values.isEmpty() ? null : ""));
    return this;
  }

  /** A value for JSON only: a scalar, a report, or a list of those. */
  Report addJson(String key, Object value) {
    entries.add(new Entry(key, value, null));
    return this;
  }

  /** Prints one line per value, sections indented. */
  void printText(PrintWriter out) {
    printText(out, "", Math.max(MIN_LABEL_WIDTH, labelWidth()));
    out.flush();
  }

  private int labelWidth() {
    int width = 0;
    for (Entry entry : entries) {
      width = Math.max(width, entry.key.length());
      if (entry.value instanceof Report section) {
        width = Math.max(width, section.labelWidth() + INDENT.length());
      }
    }
    return width;
  }

  private void printText(PrintWriter out, String indent, int width) {
    for (Entry entry : entries) {
      if (entry.text == null) {
        continue;
      }
      if (entry.value instanceof Report section && entry.text.isEmpty()) {
        out.printf("%s%s%n", indent, label(entry.key));
        section.printText(out, indent + INDENT, width - INDENT.length());
      } else {
        // The names in a section come from the dataset and stay as they are.
        String label = indent.isEmpty() ? label(entry.key) : entry.key;
        String line = "%s%-" + width + "s %s";
        out.println(
            line.formatted(indent, printable(label), printable(entry.text)).stripTrailing());
      }
    }
  }

  private static String label(String key) {
    return key.replace('-', ' ');
  }

  /** Prints one JSON object over several lines. */
  void printJson(PrintWriter out) throws IOException {
    JsonGenerator json = new JsonFactory().createGenerator(out);
    json.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
    json.setPrettyPrinter(
        new DefaultPrettyPrinter().withObjectIndenter(new DefaultIndenter("  ", "\n")));
    write(json, this);
    json.close();
    out.println();
    out.flush();
  }

  private static void write(JsonGenerator json, Object value) throws IOException {
    if (value instanceof Report report) {
      json.writeStartObject();
      for (Entry entry : report.entries) {
        json.writeFieldName(entry.key);
        write(json, entry.value);
      }
      json.writeEndObject();
    } else if (value instanceof List<?> list) {
      json.writeStartArray();
      for (Object element : list) {
        write(json, element);
      }
      json.writeEndArray();
    } else {
      json.writePOJO(value);
    }
  }

  /** Text from a dataset without control characters, which could steer a terminal. */
  static String printable(String text) {
    return text.replaceAll(
        "\\p{Cntrl}|[\\x{80}-\\x{9F}\\x{202A}-\\x{202E}\\x{2066}-\\x{2069}]", "?");
  }
}
