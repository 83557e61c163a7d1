package io.stoker.plan;

/**
 * One data-parallel training process.
 *
 * @param rank in [0, worldSize)
 * @param worldSize number of ranks
 */
public record RankSpec(int rank, int worldSize) {
  public RankSpec {
    if (worldSize < 1 || rank < 0 || rank >= worldSize) {
      throw new IllegalArgumentException(
          "rank: expected one in [0, world size), found " + rank + " of " + worldSize);
    }
  }

  /**
   * Lanes that each rank serves.
   *
   * @throws IllegalArgumentException if the world size does not divide the lanes
   */
  public int lanesPerRank(PlanSettings settings) {
    if (settings.lanes() % worldSize != 0) {
      throw new IllegalArgumentException(
          "the world size must divide the lanes (global batch "
              + settings.globalBatch()
              + " / micro batch "
              + settings.microBatch()
              + " = "
              + settings.lanes()
              + " lanes), found world size "
              + worldSize);
    }
    return settings.lanes() / worldSize;
  }

  /**
   * The rank that serves a lane.
   *
   * @param lane in [0, lanes)
   * @throws IllegalArgumentException if the world size does not divide the lanes
   */
  public static RankSpec serving(int lane, PlanSettings settings, int worldSize) {
    int lanesPerRank = new RankSpec(0, worldSize).lanesPerRank(settings);
    return new RankSpec(lane / lanesPerRank, worldSize);
  }

  /** The first lane of this rank; the others follow it. */
  public int firstLane(PlanSettings settings) {
    return rank * lanesPerRank(settings);
  }
}
