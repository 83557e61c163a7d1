package io.stoker.preprocess.report;

import io.stoker.preprocess.measure.Counts;
import io.stoker.preprocess.measure.Stage;
import io.stoker.preprocess.measure.StageTimes;
import java.util.Locale;
import java.util.Map;

/**
 * {@link JobReport} → {@code report.html}: the figures of {@code report.json} with bars, a page of
 * one file without scripts, well-formed XML.
 */
final class ReportPage {
  private static final double MIB = 1 << 20;

  private final StringBuilder page = new StringBuilder();

  private ReportPage() {}

  /** The page. */
  static String of(JobReport report) {
    return new ReportPage().write(report);
  }

  private String write(JobReport report) {
    Counts counts = report.counts();
    page.append(
        """
        <!DOCTYPE html>
        <html lang="en"><head><meta charset="utf-8"/><title>Stoker: report of a dataset</title>
        <style>
        body { font: 15px/1.45 system-ui, sans-serif; max-width: 52rem; margin: 2rem auto; padding: 0 1rem; }
        h1 { font-size: 1.3rem } h2 { font-size: 1.05rem; margin: 1.6rem 0 .4rem }
        table { border-collapse: collapse } td { padding: .1rem 1.2rem .1rem 0; overflow-wrap: anywhere }
        td.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap }
        svg { display: block; background: #f0f0f0 } rect { fill: #7f8c8d } .most rect { fill: #c0392b }
        </style></head><body>
        <h1>Report of a dataset</h1>
        <table>
        """);
    fact("dataset", report.uri());
    fact("dataset id", report.dataset().datasetId());
    fact("samples", "%,d of %,d rows", counts.samples(), counts.rows());
    fact("tokens", "%,d (%,d supervised)", counts.tokens(), counts.supervisedTokens());
    fact("patches", "%,d", counts.patches());
    fact("read", "%.1f MiB of images", counts.bytesIn() / MIB);
    fact(
        "written",
        "%.1f MiB in %,d shards, %,d blocks",
        counts.bytesOut() / MIB,
        report.dataset().shards().size(),
        report.dataset().blocks());
    fact("time", "%.1f s from start to commit", report.wallSeconds());
    fact("tasks took", "%.1f s in this run, wall time", report.taskSeconds());
    page.append("</table>\n<h2>Packing</h2>\n<table>\n");
    double efficiency = report.packingEfficiency();
    bar("packs", efficiency, false, "%,d, %.1f %% filled", counts.packs(), 100 * efficiency);
    page.append("</table>\n<h2>Rejected rows</h2>\n<table>\n");
    for (Map.Entry<String, Long> reason : counts.rejects().entrySet()) {
      double share = (double) reason.getValue() / counts.rows();
      bar(
          reason.getKey(),
          share,
          false,
          "%,d, %.2f %% of the rows",
          reason.getValue(),
          100 * share);
    }
    fact("all", "%,d", counts.rejected());
    page.append(
        "</table>\n<h2>Where the time of the tasks' cores went, in all runs</h2>\n<table>\n");
    StageTimes times = report.times();
    for (Stage stage : Stage.values()) {
      double share = times.share(stage);
      bar(
          stage.label(),
          share,
          stage == times.bottleneck(),
          "%.3f s, %.1f %%",
          times.seconds(stage),
          100 * share);
    }
    fact("bottleneck", times.bottleneck().label());
    return page.append("</table>\n</body></html>\n").toString();
  }

  private void fact(String name, String format, Object... values) {
    page.append(
        "<tr><td>%s</td><td>%s</td></tr>\n".formatted(escape(name), escape(text(format, values))));
  }

  private void bar(String name, double share, boolean most, String format, Object... values) {
    page.append(
        String.format(
            Locale.ROOT,
            """
            <tr%s><td>%s</td><td><svg width="300" height="14"><rect width="%.1f" height="14"/></svg></td>\
            <td class="n">%s</td></tr>
            """,
            most ? " class=\"most\"" : "",
            escape(name),
            300 * Math.min(1, share),
            escape(text(format, values))));
  }

  private static String text(String format, Object... values) {
    // A value is never a format: paths may hold percent signs.
    return values.length == 0 ? format : String.format(Locale.ROOT, format, values);
  }

  private static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
