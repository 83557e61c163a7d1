package io.stoker.preprocess.report;

import io.stoker.index.Dataset;
import io.stoker.preprocess.measure.Counts;
import io.stoker.preprocess.measure.StageTimes;
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
  public JobReport {
    rejects = List.copyOf(rejects);
  }

  /** Share of the packs' room that tokens fill, 0 to 1; 1 when packing was off. */
  public double packingEfficiency() {
    long room = counts.packs() * packTokens;
    return room == 0 ? 1 : (double) counts.tokens() / room;
  }
}
