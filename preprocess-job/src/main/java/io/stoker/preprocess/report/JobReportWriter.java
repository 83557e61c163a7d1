package io.stoker.preprocess.report;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.stoker.preprocess.measure.Counts;
import io.stoker.preprocess.measure.Stage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** {@link JobReport} → {@code report.json} and the table on the console. */
public final class JobReportWriter {
  static final String REJECTS_FILES = "rejects-files";

  private static final double MIB = 1 << 20;

  private JobReportWriter() {}

  /** The report as a JSON document. */
  public static byte[] toJson(JobReport report) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JsonGenerator json = new JsonFactory().createGenerator(bytes).useDefaultPrettyPrinter()) {
      Counts counts = report.counts();
      json.writeStartObject();
      json.writeStringField("dataset-id", report.dataset().datasetId());
      json.writeStringField("dataset", report.uri());
      json.writeNumberField("rows", counts.rows());
      json.writeNumberField("samples", counts.samples());
      json.writeNumberField("rejected", counts.rejected());
      json.writeObjectFieldStart("rejects");
      for (Map.Entry<String, Long> reason : counts.rejects().entrySet()) {
        json.writeNumberField(reason.getKey(), reason.getValue());
      }
      json.writeEndObject();
      json.writeArrayFieldStart(REJECTS_FILES);
      for (String name : report.rejects()) {
        json.writeString(name);
      }
      json.writeEndArray();
      json.writeNumberField("packs", counts.packs());
      json.writeNumberField("tokens", counts.tokens());
      json.writeNumberField("supervised-tokens", counts.supervisedTokens());
      json.writeNumberField("patches", counts.patches());
      json.writeNumberField("packing-efficiency", report.packingEfficiency());
      json.writeNumberField("shards", report.dataset().shards().size());
      json.writeNumberField("blocks", report.dataset().blocks());
      json.writeNumberField("bytes-in", counts.bytesIn());
      json.writeNumberField("bytes-out", counts.bytesOut());
      json.writeNumberField("wall-seconds", report.wallSeconds());
      json.writeNumberField("task-seconds", report.taskSeconds());
      json.writeObjectFieldStart("stages");
      for (Stage stage : Stage.values()) {
        json.writeObjectFieldStart(stage.label());
        json.writeNumberField("busy-seconds", report.times().seconds(stage));
        json.writeNumberField("share", report.times().share(stage));
        json.writeEndObject();
      }
      json.writeEndObject();
      json.writeStringField("bottleneck", report.times().bottleneck().label());
      json.writeEndObject();
    }
    bytes.write('\n');
    return bytes.toByteArray();
  }

  /** The report as a table of a few lines. */
  public static String toTable(JobReport report) {
    Counts counts = report.counts();
    List<String> rows = new ArrayList<>();
    rows.add(row("dataset", report.uri()));
    rows.add(row("dataset id", report.dataset().datasetId()));
    rows.add(
        row(
            "samples",
            String.format(Locale.ROOT, "%,d of %,d rows", counts.samples(), counts.rows())));
    rows.add(row("rejected", counts.rejected() + rejects(counts)));
    rows.add(
        row(
            "packs",
            String.format(
                Locale.ROOT,
                "%,d (%.1f %% of their room filled)",
                counts.packs(),
                100 * report.packingEfficiency())));
    rows.add(
        row(
            "tokens",
            String.format(
                Locale.ROOT, "%,d (%,d supervised)", counts.tokens(), counts.supervisedTokens())));
    rows.add(row("patches", String.format(Locale.ROOT, "%,d", counts.patches())));
    rows.add(
        row(
            "bytes",
            String.format(
                Locale.ROOT,
                "%.1f MiB in, %.1f MiB out in %d shards, %d blocks",
                counts.bytesIn() / MIB,
                counts.bytesOut() / MIB,
                report.dataset().shards().size(),
                report.dataset().blocks())));
    rows.add(
        row(
            "seconds",
            String.format(Locale.ROOT, "%.1f from start to commit", report.wallSeconds())));
    rows.add(
        row(
            "tasks took",
            String.format(
                Locale.ROOT,
                "%.1f s in this run, from the first one's start to the last one's end; their cores'"
                    + " time, in all runs:",
                report.taskSeconds())));
    for (Stage stage : Stage.values()) {
      rows.add(
          row(
              "  " + stage.label(),
              String.format(
                  Locale.ROOT,
                  "%8.3f s %5.1f %%",
                  report.times().seconds(stage),
                  100 * report.times().share(stage))));
    }
    rows.add(row("bottleneck", report.times().bottleneck().label()));
    rows.add(row("report", report.uri() + "/" + ReportFiles.PAGE));
    if (!report.rejects().isEmpty()) {
      rows.add(row("rejected rows", report.uri() + "/rejects"));
    }
    return String.join("\n", rows);
  }

  private static String rejects(Counts counts) {
    return counts.rejects().isEmpty() ? "" : " " + counts.rejects();
  }

  private static String row(String name, String value) {
    return String.format(Locale.ROOT, "  %-18s %s", name, value);
  }
}
