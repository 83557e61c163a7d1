package io.stoker.preprocess.bench.ladder;

import java.util.List;
import java.util.Locale;

/**
 * The results as one page without any other file: per rung a strip in which time runs to the right,
 * green where the trainer computes and red where it waits; all strips have the same scale.
 */
final class LadderPage {
  private static final int WIDTH = 900;
  private static final int STRIP = 26;

  private LadderPage() {}

  static String of(List<RungResult> results, long stepNanos) {
    double longest = results.stream().mapToDouble(LadderPage::seconds).max().orElse(1);
    StringBuilder page = new StringBuilder();
    page.append(
        String.format(
            Locale.ROOT,
            """
            <!doctype html>
            <html lang="en"><meta charset="utf-8"><title>The ladder</title>
            <style>
            body { font: 15px/1.45 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; }
            h2 { font-size: 1.05rem; margin: 1.6rem 0 .2rem } p { margin: .2rem 0 .5rem }
            .wait { fill: #c0392b } .train { fill: #27ae60 } svg { display: block; background: #f4f4f4 }
            b.wait { color: #c0392b } b.train { color: #27ae60 }
            </style>
            <h1>Where the time of a training step goes</h1>
            <p>Each strip is one trainer: <b class="train">green</b> while it computes (%.0f ms a step),
            <b class="wait">red</b> while it waits for its batch. Time runs to the right, on the same scale
            everywhere. Pictures come from an S3 server with latency, are really decoded and resized; only
            the training step is simulated.</p>
            """,
            stepNanos / 1e6));
    for (int i = 0; i < results.size(); i++) {
      RungResult result = results.get(i);
      page.append(
          String.format(
              Locale.ROOT,
              "<h2>%d. %s: waits %.1f %% of the time, %.0f samples/s</h2>%n<p>%s</p>%n",
              i,
              result.rung().name(),
              100 * result.waitRatio(),
              result.samplesPerSecond(),
              result.rung().idea()));
      for (List<TrainLoop.Step> rank : result.ranks()) {
        page.append(strip(rank, longest));
      }
    }
    return page.append("</html>\n").toString();
  }

  private static double seconds(RungResult result) {
    return result.ranks().stream()
        .mapToDouble(
            rank -> rank.stream().mapToDouble(s -> (s.waitNanos() + s.trainNanos()) / 1e9).sum())
        .max()
        .orElse(0);
  }

  private static String strip(List<TrainLoop.Step> steps, double longest) {
    StringBuilder svg = new StringBuilder();
    svg.append(
        String.format(
            Locale.ROOT, "<svg width=\"%d\" height=\"%d\" role=\"img\">%n", WIDTH, STRIP));
    double x = 0;
    double perNano = WIDTH / longest / 1e9;
    for (TrainLoop.Step step : steps) {
      x = rect(svg, "wait", x, step.waitNanos() * perNano);
      x = rect(svg, "train", x, step.trainNanos() * perNano);
    }
    return svg.append("</svg>\n").toString();
  }

  private static double rect(StringBuilder svg, String kind, double x, double width) {
    svg.append(
        String.format(
            Locale.ROOT,
            "<rect class=\"%s\" x=\"%.2f\" y=\"1\" width=\"%.2f\" height=\"%d\"/>",
            kind,
            x,
            width,
            STRIP - 2));
    return x + width;
  }
}
