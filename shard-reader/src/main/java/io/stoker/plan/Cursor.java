package io.stoker.plan;

/**
 * The whole resumable state of a reader: the next step to be taken. Independent of the world size.
 *
 * @param datasetId the dataset
 * @param seed seed of the plan
 * @param epoch epoch of the next step
 * @param step next step in the epoch
 * @param lanes lanes of the plan
 * @param microBatch packs per lane and step
 * @param remainder remainder policy of the plan
 */
public record Cursor(
    String datasetId,
    long seed,
    long epoch,
    long step,
    int lanes,
    int microBatch,
    Remainder remainder) {
  public Cursor {
    if (epoch < 0 || step < 0 || lanes < 1 || microBatch < 1) {
      throw new IllegalArgumentException(
          "impossible epoch "
              + epoch
              + ", step "
              + step
              + ", lanes "
              + lanes
              + " or micro batch "
              + microBatch);
    }
  }

  /** The next step of a run. */
  public static Cursor of(String datasetId, PlanSettings settings, long epoch, long step) {
    return new Cursor(
        datasetId,
        settings.seed(),
        epoch,
        step,
        settings.lanes(),
        settings.microBatch(),
        settings.remainder());
  }

  /**
   * Refuses a cursor that belongs to another run.
   *
   * @throws IllegalArgumentException naming the first thing that differs
   */
  public void checkFits(String dataset, PlanSettings settings) {
    check("dataset", dataset, datasetId);
    check("seed", settings.seed(), seed);
    check("lanes", settings.lanes(), lanes);
    check("micro batch", settings.microBatch(), microBatch);
    check("remainder", settings.remainder().word(), remainder.word());
  }

  private static void check(String what, Object expected, Object found) {
    if (!expected.equals(found)) {
      throw new IllegalArgumentException(
          "the cursor is of another run: " + what + ": expected " + expected + ", found " + found);
    }
  }
}
