package io.stoker.reader;

import io.stoker.index.BlockTable;
import io.stoker.plan.EpochPlan;
import io.stoker.plan.PlanSettings;
import io.stoker.plan.RankSpec;
import java.io.IOException;

/**
 * What one rank reads of a dataset, from where to where.
 *
 * @param rank which of the ranks this is
 * @param options how it reads
 * @param plan the plan of the epoch it starts in
 */
record RankShare(RankSpec rank, ReaderOptions options, EpochPlan plan) {
  /**
   * Plans what a rank reads.
   *
   * @throws IllegalArgumentException if an epoch has fewer steps than the one to start at
   */
  static RankShare of(BlockTable table, RankSpec rank, ReaderOptions options) throws IOException {
    EpochPlan plan = EpochPlan.of(table, options.plan(), options.epoch());
    if (options.step() > plan.steps()) {
      throw new IllegalArgumentException(
          "an epoch has " + plan.steps() + " steps, cannot start at step " + options.step());
    }
    return new RankShare(rank, options, plan);
  }

  PlanSettings settings() {
    return options.plan();
  }

  int firstLane() {
    return rank.firstLane(settings());
  }

  /** Lanes that the rank serves. */
  int lanes() {
    return rank.lanesPerRank(settings());
  }

  /** Steps of each epoch. */
  long steps() {
    return plan.steps();
  }

  /** Batches that the rank is owed. */
  long batches() {
    return Math.multiplyExact(options.epochs() * steps() - options.step(), (long) lanes());
  }
}
