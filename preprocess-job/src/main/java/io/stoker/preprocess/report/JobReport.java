package io.stoker.preprocess.report;

import io.stoker.index.Dataset;
import io.stoker.preprocess.measure.Counts;
import io.stoker.preprocess.measure.Stage;
import io.stoker.preprocess.measure.StageTimes;
import java.util.Arrays;
import java.util.List;

/**
 * What a job did, for people.
 *
 * @param dataset the dataset
 * @param uri where it is
 * @param counts its accounts
 * @param times where the tasks' time went
 * @param packTokens most tokens of a pack; 0 when packing was off
 * @param wallSeconds from the start of the job to the commit
 * @param taskSeconds from the start of the first task that made shards to the end of the last one;
 *     without Spark's start, the scan of the manifests and what earlier runs finished
 * @param rejects objects with the rejected rows
 */
public record JobReport(
    Dataset dataset,
    String uri,
    Counts counts,
    StageTimes times,
    int packTokens,
    double wallSeconds,
    double taskSeconds,
    List<String> rejects) {
  static final String REJECTS_FILES = "rejects-files";

  public JobReport {
    rejects = List.copyOf(rejects);
  }

  /** Share of the packs' room that tokens fill, 0 to 1; 1 when packing was off. */
  public double packingEfficiency() {
    long room = counts.packs() * packTokens;
    return room == 0 ? 1 : (double) counts.tokens() / room;
  }

  /** All that the report says, in the order in which it is told. */
  List<Fact> facts() {
    return List.of(
        Fact.text("dataset", "dataset", uri),
        Fact.text("dataset-id", "dataset id", dataset.datasetId()),
        Fact.number("rows", "manifest rows", counts.rows()),
        Fact.number("samples", "samples", counts.samples()),
        Fact.number("rejected", "rejected rows", counts.rejected()),
        Fact.group(
            "rejects",
            "Rejected rows by reason",
            counts.rejects().entrySet().stream()
                .map(reason -> Fact.rows(reason.getKey(), reason.getValue(), counts.rows()))
                .toList()),
        Fact.list(REJECTS_FILES, rejects),
        Fact.number("packs", "packs", counts.packs()),
        Fact.number("tokens", "tokens", counts.tokens()),
        Fact.number("supervised-tokens", "supervised tokens", counts.supervisedTokens()),
        Fact.number("patches", "image patches", counts.patches()),
        Fact.share("packing-efficiency", "room used in packs", packingEfficiency()),
        Fact.number("shards", "shards", dataset.shards().size()),
        Fact.number("blocks", "blocks", dataset.blocks()),
        Fact.bytes("bytes-in", "images read", counts.bytesIn()),
        Fact.bytes("bytes-out", "shards written", counts.bytesOut()),
        Fact.seconds("wall-seconds", "start to commit", wallSeconds),
        Fact.seconds("task-seconds", "tasks of this run", taskSeconds),
        Fact.group(
            "stages",
            "Time of the tasks' cores by stage, in all runs",
            Arrays.stream(Stage.values())
                .map(stage -> Fact.stage(stage.label(), times.seconds(stage), times.share(stage)))
                .toList()),
        Fact.text("bottleneck", "bottleneck", times.bottleneck().label()));
  }
}
