package io.stoker.cli;

import io.stoker.common.Durations;
import io.stoker.plan.PlanSettings;
import io.stoker.plan.RankSpec;
import io.stoker.reader.ReaderOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** Reads a dataset as several ranks with a simulated training step, and says how long they wait. */
@Command(
    name = "bench",
    description = "Reads a dataset as several ranks with a simulated training step.",
    footer = {
      "%nExamples:",
      "  stoker bench /data/train",
      "  stoker bench --ranks 8 --step 200ms --global-batch 64 s3://bucket/train",
      "  stoker bench --ranks 2 --only-rank 1 s3://bucket/train",
      "  stoker bench --json /data/train"
    })
final class BenchCommand implements Callable<Integer> {
  private static final double MIB = 1 << 20;
  private static final double MILLI = 1e6;
  private static final double NANO = 1e9;
  private static final int FEW_STEPS = 20;

  @Spec private CommandSpec spec;

  @Mixin private final DatasetArgument dataset = new DatasetArgument();

  @Option(
      names = "--ranks",
      defaultValue = "2",
      description = "Ranks, each on a thread of its own (default: ${DEFAULT-VALUE}).")
  private int ranks;

  @Option(
      names = "--only-rank",
      paramLabel = "R",
      description =
          "Read as this one of the ranks, counted from 0: the others run elsewhere (default: all).")
  private @Nullable Integer onlyRank;

  @Option(
      names = "--step",
      defaultValue = "50ms",
      converter = DurationConverter.class,
      description = "Length of a training step (default: ${DEFAULT-VALUE}).")
  private Duration step;

  @Option(
      names = "--global-batch",
      defaultValue = "0",
      description = "Packs of a step over all ranks (default: one per rank).")
  private int globalBatch;

  @Option(
      names = "--epochs",
      defaultValue = "1",
      description = "Epochs to read (default: ${DEFAULT-VALUE}).")
  private int epochs;

  @Option(
      names = "--seed",
      defaultValue = "0",
      description = "Seed of the block order (default: ${DEFAULT-VALUE}).")
  private long seed;

  @Option(names = "--json", description = "Print one JSON object.")
  private boolean json;

  private BenchCommand() {}

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (onlyRank != null && (onlyRank < 0 || onlyRank >= ranks)) {
      throw new ParameterException(
          spec.commandLine(),
          "--only-rank: expected one in [0, %d), found %d".formatted(ranks, onlyRank));
    }
    PlanSettings plan = new PlanSettings(seed, globalBatch > 0 ? globalBatch : ranks, 1);
    ReaderOptions options = ReaderOptions.of(plan).withEpochs(epochs).withStore(dataset.store());
    URI uri = dataset.uri();
    List<RankSpec> here =
        onlyRank == null
            ? IntStream.range(0, ranks).mapToObj(rank -> new RankSpec(rank, ranks)).toList()
            : List.of(new RankSpec(onlyRank, ranks));
    ExecutorService threads = Executors.newFixedThreadPool(here.size());
    try {
      List<Future<SimulatedRank.Result>> running = new ArrayList<>();
      long opened = System.nanoTime();
      for (RankSpec rank : here) {
        running.add(threads.submit(new SimulatedRank(uri, rank, options, step)));
      }
      SimulatedRank.Result sum = new SimulatedRank.Result(0, 0, 0, 0, 0, 0);
      for (Future<SimulatedRank.Result> result : running) {
        sum = sum.plus(result.get());
      }
      double seconds = (System.nanoTime() - opened) / NANO;
      if (json) {
        report(sum, seconds).printJson(spec.commandLine().getOut());
      } else {
        print(sum, seconds);
      }
      return 0;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IllegalArgumentException refused) {
        throw refused;
      }
      throw new IOException(e.getCause() == null ? e.toString() : e.getCause().getMessage(), e);
    } finally {
      threads.shutdownNow();
    }
  }

  /** Bytes and samples are those of the ranks that ran here, seconds those of the slowest one. */
  private Report report(SimulatedRank.Result sum, double seconds) {
    Report report = new Report().add("ranks", ranks);
    if (onlyRank != null) {
      report.add("rank", onlyRank);
    }
    return report
        .add("step-millis", step.toMillis())
        .add("batches", sum.batches())
        .add("samples", sum.samples())
        .add("bytes", sum.bytes())
        .addJson("seconds", seconds)
        .add("first-nanos", sum.firstNanos())
        .add("wait-nanos", sum.waitNanos())
        .add("train-nanos", sum.trainNanos())
        .addJson("wait-ratio", sum.waitRatio());
  }

  private void print(SimulatedRank.Result sum, double seconds) {
    PrintWriter out = spec.commandLine().getOut();
    out.printf(
        "  %-18s %s, steps of %d ms%n",
        "ranks", onlyRank == null ? ranks : onlyRank + " of " + ranks, step.toMillis());
    out.printf(
        Locale.ROOT,
        "  %-18s %,d batches, %,d samples, %.1f MiB, every byte read%n",
        "delivered",
        sum.batches(),
        sum.samples(),
        sum.bytes() / MIB);
    out.printf(
        Locale.ROOT,
        "  %-18s %.1f MiB/s in %.1f s, opening and steps included%n",
        "throughput",
        sum.bytes() / MIB / seconds,
        seconds);
    out.printf(
        Locale.ROOT,
        "  %-18s %.1f ms after opening (not in the ratio)%n",
        "first batch",
        sum.firstNanos() / MILLI);
    out.printf(
        Locale.ROOT,
        "  %-18s %.5f (%.3f ms waited in %.1f s)%n",
        "wait-time ratio",
        sum.waitRatio(),
        sum.waitNanos() / MILLI,
        (sum.waitNanos() + sum.trainNanos()) / MILLI / 1000);
    if (sum.batches() < (long) FEW_STEPS * (onlyRank == null ? ranks : 1)) {
      out.printf(
          "  %-18s fewer than %d steps of a rank say little: --epochs reads more%n",
          "note", FEW_STEPS);
    }
    out.flush();
  }

  /** A duration; without it, picocli would expect the form of ISO 8601. */
  static final class DurationConverter implements ITypeConverter<Duration> {
    @Override
    public Duration convert(String value) {
      try {
        return Durations.parse(value);
      } catch (IllegalArgumentException | ArithmeticException e) {
        throw new TypeConversionException("expected a duration such as 50ms, found " + value);
      }
    }
  }
}
