package io.stoker.preprocess.report;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * {@link JobReport} → {@code report.html}: the facts of {@code report.json} with bars, a page of
 * one file without scripts, well-formed XML.
 */
final class ReportPage {
  static final String FILE = "report.html";

  private static final String HEAD =
      """
      <!DOCTYPE html>
      <html lang="en"><head><meta charset="utf-8"/><title>Stoker: report of a dataset</title>
      <style>
      body { font: 15px/1.45 system-ui, sans-serif; max-width: 52rem; margin: 2rem auto; padding: 0 1rem; }
      h1 { font-size: 1.3rem } h2 { font-size: 1.05rem; margin: 1.6rem 0 .4rem }
      table { border-collapse: collapse } td { padding: .1rem 1.2rem .1rem 0; overflow-wrap: anywhere }
      svg { display: block; background: #f0f0f0 } rect { fill: #7f8c8d } .most rect { fill: #c0392b }
      </style></head><body>
      <h1>Report of a dataset</h1>
      """;
  private static final double BAR_WIDTH = 300;

  private final StringBuilder page = new StringBuilder(HEAD);

  private ReportPage() {}

  /** The page. */
  static String of(JobReport report) {
    ReportPage page = new ReportPage();
    page.table(report.facts().stream().filter(fact -> !fact.text().isEmpty()).toList(), "");
    report.facts().stream().filter(fact -> !fact.parts().isEmpty()).forEach(page::group);
    return page.page.append("</body></html>\n").toString();
  }

  /** The longest bar of a group is marked. */
  private void group(Fact group) {
    page.append("<h2>%s</h2>\n".formatted(escape(group.label())));
    Fact most = group.parts().stream().max(Comparator.comparingDouble(Fact::share)).orElseThrow();
    table(group.parts(), most.share() > 0 ? most.name() : "");
  }

  private void table(List<Fact> facts, String most) {
    page.append("<table>\n");
    for (Fact fact : facts) {
      page.append(
          "<tr%s><td>%s</td><td>%s</td>%s</tr>\n"
              .formatted(
                  fact.name().equals(most) ? " class=\"most\"" : "",
                  escape(fact.label()),
                  escape(fact.text()),
                  bar(fact.share())));
    }
    page.append("</table>\n");
  }

  private static String bar(double share) {
    return Double.isNaN(share)
        ? ""
        : String.format(
            Locale.ROOT,
            "<td><svg width=\"%.0f\" height=\"14\"><rect width=\"%.1f\" height=\"14\"/></svg></td>",
            BAR_WIDTH,
            BAR_WIDTH * Math.min(1, share));
  }

  private static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
