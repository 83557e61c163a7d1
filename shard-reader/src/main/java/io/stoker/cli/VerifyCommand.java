package io.stoker.cli;

import io.stoker.index.Dataset;
import io.stoker.index.ShardEntry;
import io.stoker.reader.DatasetVerifier;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Checks every byte and every rule of a dataset. */
@Command(
    name = "verify",
    description =
        "Checks every byte and every rule of a dataset. Stops at the first thing that is wrong and"
            + " names the shard and the block. Progress goes to the error stream.",
    footer = {
      "%nExamples:",
      "  stoker verify /data/train",
      "  stoker verify --quiet s3://bucket/train"
    })
final class VerifyCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private final DatasetArgument dataset = new DatasetArgument();

  @Option(
      names = {"-q", "--quiet"},
      description = "No progress.")
  private boolean quiet;

  private long percent = -1;

  private VerifyCommand() {}

  @Override
  public Integer call() throws IOException {
    Dataset sound = DatasetVerifier.verify(dataset.uri(), dataset.store(), this::progress);
    PrintWriter out = spec.commandLine().getOut();
    out.printf(
        Locale.ROOT,
        "ok: dataset %s: %,d shards, %,d blocks, %,d packs, %,d samples, %s%n",
        Report.printable(sound.datasetId()),
        sound.shards().size(),
        sound.blocks(),
        sound.counts().packs(),
        sound.counts().samples(),
        Units.bytes(sound.shards().stream().mapToLong(ShardEntry::bytes).sum()));
    out.flush();
    return ExitCode.OK;
  }

  // One line per percent, so that a log of a long run stays short and needs no clock.
  private void progress(ShardEntry shard, long bytes, long totalBytes) {
    long now = 100 * bytes / totalBytes;
    if (!quiet && now > percent) {
      percent = now;
      PrintWriter err = spec.commandLine().getErr();
      err.printf(
          "%3d %%, %s of %s, %s%n",
          percent, Units.bytes(bytes), Units.bytes(totalBytes), shard.name());
      err.flush();
    }
  }
}
