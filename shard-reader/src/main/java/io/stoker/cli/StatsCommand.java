package io.stoker.cli;

import io.stoker.reader.DatasetView;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Shows how tokens, samples and patches are distributed. */
@Command(
    name = "stats",
    description =
        "Shows how tokens, samples, images, patches and supervised tokens are distributed. Reads"
            + " the blocks: from S3 all of each, from a local dataset all but the pixels.",
    footer = {
      "%nExamples:",
      "  stoker stats /data/train",
      "  stoker stats --every 100 --json s3://bucket/train"
    })
final class StatsCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private final DatasetArgument dataset = new DatasetArgument();

  @Option(
      names = "--every",
      paramLabel = "N",
      defaultValue = "1",
      description = "Read every Nth block only (default: ${DEFAULT-VALUE}).")
  private int every;

  @Option(names = "--json", description = "Print one JSON object.")
  private boolean json;

  private StatsCommand() {}

  @Override
  public Integer call() throws IOException {
    if (every < 1) {
      throw new ParameterException(
          spec.commandLine(), "--every: expected at least 1, found " + every);
    }
    PrintWriter out = spec.commandLine().getOut();
    try (DatasetView view = dataset.open()) {
      DatasetStats stats = new DatasetStats();
      int blocks = view.blocks().blocks();
      for (long block = 0; block < blocks; block += every) {
        stats.add(view.block((int) block));
      }
      if (json) {
        stats.toReport(blocks).printJson(out);
      } else {
        stats.printText(out, blocks);
      }
    }
    return ExitCode.OK;
  }
}
