package io.stoker.cli;

import io.stoker.plan.EpochPlan;
import io.stoker.plan.PlanSettings;
import io.stoker.plan.RankSpec;
import io.stoker.reader.DatasetView;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Says what a training run sees, without running it. */
@Command(
    name = "plan",
    description = {
      "Answers what a training run sees or saw, from its settings alone. Ask one of:",
      "  --step N     what do the lanes (of --rank, or all) get at step N?",
      "  --sample ID  which rank gets this sample, at which step?",
      "  --steps      how many steps does an epoch have?",
      "--sample looks through the dataset for the id; from S3 that reads all of it."
    },
    footer = {
      "%nExamples:",
      "  stoker plan /data/train --global-batch 1024 --world-size 64 --seed 7 --rank 17 --step 81234",
      "  stoker plan /data/train --global-batch 1024 --world-size 64 --seed 7 --epoch 1 --sample a:12",
      "  stoker plan /data/train --global-batch 1024 --remainder pad --steps"
    })
final class PlanCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private final DatasetArgument dataset = new DatasetArgument();
  @Mixin private final PlanOptions options = new PlanOptions();

  @Option(names = "--step", paramLabel = "N", description = "Step in the epoch, counted from 0.")
  private @Nullable Long step;

  @Option(names = "--sample", paramLabel = "ID", description = "Id of a sample.")
  private @Nullable String sample;

  @Option(names = "--steps", description = "Ask for the number of steps.")
  private boolean steps;

  @Option(
      names = "--rank",
      paramLabel = "R",
      description = "Only the lanes of this rank, counted from 0.")
  private @Nullable Integer rank;

  @Option(names = "--json", description = "Print one JSON object.")
  private boolean json;

  private PlanCommand() {}

  @Override
  public Integer call() throws IOException {
    long questions = Stream.of(step != null, sample != null, steps).filter(asked -> asked).count();
    if (questions != 1) {
      throw new ParameterException(
          spec.commandLine(), "expected one of --step, --sample and --steps, found " + questions);
    }
    PlanSettings settings = options.settings();
    RankSpec ranks = new RankSpec(Objects.requireNonNullElse(rank, 0), options.worldSize());
    ranks.lanesPerRank(settings);
    try (DatasetView view = dataset.open()) {
      EpochPlan plan = EpochPlan.of(view.blocks(), settings, options.epoch());
      if (step != null) {
        return step(view, plan, settings, step);
      }
      return sample != null ? sample(view, plan, settings, sample) : steps(plan, settings);
    }
  }

  private int steps(EpochPlan plan, PlanSettings settings) throws IOException {
    print(
        new Report()
            .add("steps", plan.steps())
            .add("packs", plan.packs())
            .add("lanes", settings.lanes())
            .add("lanes-per-rank", settings.lanes() / options.worldSize())
            .add("remainder", settings.remainder().word())
            .add("packs-dropped", plan.dropped())
            .add("packs-of-padding", plan.padding()));
    return ExitCode.OK;
  }

  private int step(DatasetView view, EpochPlan plan, PlanSettings settings, long asked)
      throws IOException {
    if (asked < 0 || asked >= plan.steps()) {
      throw new ParameterException(
          spec.commandLine(),
          "--step: expected one in [0, %d), found %d".formatted(plan.steps(), asked));
    }
    RankSpec one = new RankSpec(Objects.requireNonNullElse(rank, 0), options.worldSize());
    int first = rank == null ? 0 : one.firstLane(settings);
    int count = rank == null ? settings.lanes() : one.lanesPerRank(settings);
    List<PlannedPack> packs = PlannedPack.ofStep(view, plan, asked, first, first + count);
    if (json) {
      print(
          new Report()
              .add("epoch", plan.epoch())
              .add("step", asked)
              .add("steps", plan.steps())
              .addJson("packs", packs.stream().map(PlannedPack::toReport).toList()));
      return ExitCode.OK;
    }
    PrintWriter out = spec.commandLine().getOut();
    out.printf(
        Locale.ROOT,
        "epoch %d, step %d of %d, %s: lanes %d to %d of %d%n",
        plan.epoch(),
        asked,
        plan.steps(),
        rank == null ? "all ranks" : "rank " + rank + " of " + options.worldSize(),
        first,
        first + count - 1,
        settings.lanes());
    for (PlannedPack pack : packs) {
      out.println(pack.toText());
    }
    out.flush();
    return ExitCode.OK;
  }

  private int sample(DatasetView view, EpochPlan plan, PlanSettings settings, String id)
      throws IOException {
    List<FoundSample> found = FoundSample.search(view, id);
    if (json) {
      print(
          new Report()
              .add("sample", id)
              .add("epoch", plan.epoch())
              .addJson(
                  "found",
                  found.stream()
                      .map(place -> place.toReport(plan, settings, options.worldSize()))
                      .toList()));
    } else {
      PrintWriter out = spec.commandLine().getOut();
      for (FoundSample place : found) {
        place.printText(out, plan, settings, options.worldSize());
      }
      out.flush();
    }
    if (found.isEmpty()) {
      PrintWriter err = spec.commandLine().getErr();
      err.println("stoker: the dataset has no sample " + Report.printable(id));
      err.flush();
      return ExitCode.NOT_FOUND;
    }
    return ExitCode.OK;
  }

  private void print(Report report) throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      report.printJson(out);
    } else {
      report.printText(out);
    }
  }
}
