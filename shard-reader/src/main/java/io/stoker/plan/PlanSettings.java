package io.stoker.plan;

/**
 * What the plan depends on besides the dataset and the epoch.
 *
 * @param seed seed of the block order
 * @param globalBatch packs of one step over all ranks
 * @param microBatch packs of one forward pass, a divisor of the global batch
 * @param remainder what becomes of the packs that do not fill a last step
 */
public record PlanSettings(long seed, int globalBatch, int microBatch, Remainder remainder) {
  public PlanSettings {
    if (globalBatch < 1 || microBatch < 1 || globalBatch % microBatch != 0) {
      throw new IllegalArgumentException(
          "the micro batch must divide the global batch, found "
              + microBatch
              + " and "
              + globalBatch);
    }
  }

  /** Drops the remainder. */
  public PlanSettings(long seed, int globalBatch, int microBatch) {
    this(seed, globalBatch, microBatch, Remainder.DROP);
  }

  /** Micro-batch slots of a step: global batch / micro batch. */
  public int lanes() {
    return globalBatch / microBatch;
  }

  /** Steps of an epoch: packs / global batch, rounded down to drop and up to pad. */
  long steps(long packs) {
    long whole = packs / globalBatch;
    boolean padded = remainder == Remainder.PAD && packs % globalBatch != 0;
    return padded ? whole + 1 : whole;
  }
}
