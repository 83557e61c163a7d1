package io.stoker.preprocess.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** {@link JobReport} → {@code report.json} and the table on the console. */
public final class JobReportWriter {
  private JobReportWriter() {}

  /** The report as a JSON document. */
  static byte[] toJson(JobReport report) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.write(
        new ObjectMapper()
            .writerWithDefaultPrettyPrinter()
            .writeValueAsBytes(Fact.members(report.facts())));
    bytes.write('\n');
    return bytes.toByteArray();
  }

  /** The report as a table of a few lines. */
  public static String toTable(JobReport report) {
    List<String> rows = new ArrayList<>();
    for (Fact fact : report.facts()) {
      if (!fact.text().isEmpty()) {
        rows.add(row(fact.label(), fact.text()));
      }
      if (!fact.parts().isEmpty()) {
        rows.add("  " + fact.label());
        fact.parts().forEach(part -> rows.add(row("  " + part.label(), part.text())));
      }
    }
    rows.add(row("report", report.uri() + "/" + ReportPage.FILE));
    if (!report.rejects().isEmpty()) {
      rows.add(row("rejected rows in", report.uri() + "/rejects"));
    }
    return String.join("\n", rows);
  }

  private static String row(String name, String value) {
    return String.format(Locale.ROOT, "  %-24s %s", name, value);
  }
}
