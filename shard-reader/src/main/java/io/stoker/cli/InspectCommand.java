package io.stoker.cli;

import io.stoker.format.PixelLayout;
import io.stoker.format.ShardFormatException;
import io.stoker.index.BlockEntry;
import io.stoker.index.BlockTable;
import io.stoker.index.Dataset;
import io.stoker.index.DatasetCounts;
import io.stoker.index.ShardEntry;
import io.stoker.reader.DatasetView;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.LongSummaryStatistics;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Says what a dataset is, from its index alone. */
@Command(
    name = "inspect",
    description =
        "Says what a dataset is: counts, layout, settings, rejects. Reads the index only.",
    footer = {
      "%nExamples:",
      "  stoker inspect /data/train",
      "  stoker inspect --json s3://bucket/train | jq .counts.samples"
    })
final class InspectCommand implements Callable<Integer> {
  private static final String MAX_TOKENS = "pack.max-tokens";
  private static final String PACKING = "pack.enabled";

  @Spec private CommandSpec spec;
  @Mixin private final DatasetArgument dataset = new DatasetArgument();

  @Option(names = "--json", description = "Print one JSON object.")
  private boolean json;

  private InspectCommand() {}

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    try (DatasetView view = dataset.open()) {
      Report report = report(view);
      if (json) {
        report.printJson(out);
      } else {
        report.printText(out);
      }
    }
    return ExitCode.OK;
  }

  private static Report report(DatasetView view) throws ShardFormatException {
    Dataset dataset = view.dataset();
    Report report =
        new Report()
            .add("dataset-id", dataset.datasetId())
            .add("format-version", dataset.formatVersion())
            .add("software-version", dataset.softwareVersion());
    addCounts(report, dataset);
    PixelLayout pixels = dataset.pixels();
    report.add(
        "pixels",
        new Report().add("encoding", pixels.encoding()).add("temporal", pixels.temporal()),
        "%s, temporal slots %s".formatted(pixels.encoding(), pixels.temporal()));
    long bytes = dataset.shards().stream().mapToLong(ShardEntry::bytes).sum();
    report
        .add("shards", dataset.shards().size())
        .add("shard-bytes", bytes, Units.bytes(bytes))
        .add("blocks", view.blocks().blocks());
    addBlocks(report, view.blocks());
    return report
        .add("fingerprints", dataset.fingerprints())
        .add("settings", dataset.settings())
        .add("rejects", dataset.counts().rejects());
  }

  private static void addCounts(Report report, Dataset dataset) {
    DatasetCounts counts = dataset.counts();
    double supervised = Units.fraction(counts.supervisedTokens(), counts.tokens());
    report
        .add("samples", counts.samples())
        .add("packs", counts.packs())
        .add("tokens", counts.tokens())
        .add("supervised-tokens", counts.supervisedTokens())
        .add("supervised-fraction", Units.rounded(supervised), Units.percent(supervised))
        .add("patches", counts.patches());
    String maxTokens = dataset.settings().getOrDefault(MAX_TOKENS, "");
    if (!"false".equals(dataset.settings().get(PACKING)) && maxTokens.matches("[1-9]\\d{0,8}")) {
      double efficiency =
          Units.fraction(counts.tokens(), counts.packs() * Long.parseLong(maxTokens));
      report.add(
          "packing-efficiency",
          Units.rounded(efficiency),
          Units.percent(efficiency) + " of " + MAX_TOKENS);
    }
  }

  private static void addBlocks(Report report, BlockTable table) throws ShardFormatException {
    LongSummaryStatistics bytes = new LongSummaryStatistics();
    LongSummaryStatistics packs = new LongSummaryStatistics();
    for (int block = 0; block < table.blocks(); block++) {
      BlockEntry entry = table.entry(block);
      bytes.accept(entry.length());
      packs.accept(entry.packs());
    }
    if (table.blocks() > 0) {
      report
          .add(
              "bytes-per-block",
              range(bytes),
              "%s to %s, mean %s"
                  .formatted(
                      Units.bytes(bytes.getMin()),
                      Units.bytes(bytes.getMax()),
                      Units.bytes(Math.round(bytes.getAverage()))))
          .add(
              "packs-per-block",
              range(packs),
              "%d to %d, mean %s"
                  .formatted(packs.getMin(), packs.getMax(), Units.rounded(packs.getAverage())));
    }
  }

  private static Report range(LongSummaryStatistics values) {
    return new Report()
        .add("min", values.getMin())
        .add("max", values.getMax())
        .addJson("mean", Units.rounded(values.getAverage()));
  }
}
