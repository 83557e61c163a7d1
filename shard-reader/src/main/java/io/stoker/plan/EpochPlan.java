package io.stoker.plan;

import io.stoker.format.ShardFormatException;
import io.stoker.index.BlockTable;
import java.util.ArrayList;
import java.util.List;

/**
 * Which packs each lane gets at each step of one epoch: a pure function of dataset, settings and
 * epoch. The number of ranks does not matter.
 *
 * <p>The blocks are permuted by (seed, epoch); their packs, each block's in its own order, form one
 * sequence of N. It is cut into {@code lanes} equal segments of {@code steps * microBatch} packs:
 * lane l at step s gets those at {@code (l * steps + s) * microBatch} and after. With {@link
 * Remainder#DROP} steps is N / global batch rounded down, and what the last segment does not reach
 * is left out of this epoch. With {@link Remainder#PAD} it is rounded up, and position p beyond the
 * sequence holds, as padding, the pack at p mod N.
 *
 * <p>Cost and memory are those of the block order: 8 bytes per 64 blocks. Immutable and
 * thread-safe.
 */
public final class EpochPlan {
  private final BlockOrder order;
  private final PlanSettings settings;
  private final long epoch;
  private final long steps;

  /**
   * Plans one epoch.
   *
   * @throws ShardFormatException if the packs of the table do not sum up to those of the dataset
   * @throws IllegalArgumentException if the dataset has no packs, or fewer than one step takes and
   *     the remainder is dropped
   */
  public static EpochPlan of(BlockTable table, PlanSettings settings, long epoch)
      throws ShardFormatException {
    EpochPlan plan = new EpochPlan(PackCounts.of(table), settings, epoch);
    long expected = table.dataset().counts().packs();
    if (plan.packs() != expected) {
      throw ShardFormatException.mismatch(
          table.dataset().blockTable().name(), "packs", expected, plan.packs());
    }
    if (plan.steps == 0) {
      throw new IllegalArgumentException(
          expected == 0
              ? "the dataset has no packs"
              : "the dataset has "
                  + expected
                  + " packs, fewer than the global batch of "
                  + settings.globalBatch());
    }
    return plan;
  }

  EpochPlan(PackCounts counts, PlanSettings settings, long epoch) {
    this.order = new BlockOrder(counts, settings.seed(), epoch);
    this.settings = settings;
    this.epoch = epoch;
    this.steps = settings.steps(packs());
  }

  /** The epoch this plan is for. */
  public long epoch() {
    return epoch;
  }

  /** Packs of the whole sequence, those of a dropped remainder included. */
  public long packs() {
    return order.packs();
  }

  /** Steps of the epoch, the same for every lane, rank and epoch. */
  public long steps() {
    return steps;
  }

  /** Packs that the plan delivers in this epoch, padding included: steps times global batch. */
  private long delivered() {
    return steps * settings.globalBatch();
  }

  /** Packs that this epoch leaves out: less than a global batch, 0 if the remainder is padded. */
  public long dropped() {
    return Math.max(0, packs() - delivered());
  }

  /** Packs that this epoch delivers once more, with zero loss: less than a global batch. */
  public long padding() {
    return Math.max(0, delivered() - packs());
  }

  /**
   * The micro-batch of one lane at one step.
   *
   * @param step in [0, {@link #steps()})
   * @param lane in [0, lanes)
   * @return ranges that have {@code microBatch} packs together; one range unless the micro-batch
   *     spans blocks or padding begins in it
   */
  public List<PackRange> ranges(long step, int lane) {
    if (step < 0 || step >= steps || lane < 0 || lane >= settings.lanes()) {
      throw new IndexOutOfBoundsException(
          "step " + step + " of " + steps + ", lane " + lane + " of " + settings.lanes());
    }
    long position = (lane * steps + step) * settings.microBatch();
    int missing = settings.microBatch();
    long packs = packs();
    if (position + missing <= packs) {
      return order.ranges(position, missing, false);
    }
    List<PackRange> ranges = new ArrayList<>(2);
    while (missing > 0) {
      long wrapped = position % packs;
      int count = (int) Math.min(missing, packs - wrapped);
      ranges.addAll(order.ranges(wrapped, count, position >= packs));
      position += count;
      missing -= count;
    }
    return ranges;
  }

  /**
   * Where a pack is delivered in this epoch: the inverse of {@link #ranges}.
   *
   * @param block row of the block table
   * @param pack pack in the block
   * @return in the order of the sequence, padding last; empty if the pack is dropped
   * @throws IndexOutOfBoundsException if there is no such block or it has no such pack
   */
  public List<Delivery> deliveries(int block, int pack) {
    List<Delivery> deliveries = new ArrayList<>(1);
    long first = order.position(block, pack);
    for (long position = first; position < delivered(); position += packs()) {
      long microBatches = position / settings.microBatch();
      deliveries.add(
          new Delivery(
              microBatches % steps,
              (int) (microBatches / steps),
              (int) (position % settings.microBatch()),
              position >= packs()));
    }
    return deliveries;
  }
}
