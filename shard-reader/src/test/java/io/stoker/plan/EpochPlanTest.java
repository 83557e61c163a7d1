package io.stoker.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EpochPlanTest {
  private record PackAt(int block, int pack) {}

  private static final int[] PACKS = new Random(5).ints(777, 1, 9).toArray();
  private static final int TOTAL = IntStream.of(PACKS).sum();

  private static EpochPlan plan(PlanSettings settings, long epoch) {
    return new EpochPlan(new Counts(PACKS), settings, epoch);
  }

  private static List<PackAt> packs(EpochPlan plan, long step, int lane) {
    List<PackAt> packs = new ArrayList<>();
    for (PackRange range : plan.ranges(step, lane)) {
      for (int i = 0; i < range.count(); i++) {
        packs.add(new PackAt(range.block(), range.first() + i));
      }
    }
    return packs;
  }

  @ParameterizedTest
  @CsvSource({"1,1", "8,1", "16,2", "24,3", "48,4"})
  void lanesPartitionTheDataset(int globalBatch, int microBatch) {
    PlanSettings settings = new PlanSettings(7, globalBatch, microBatch);
    EpochPlan plan = plan(settings, 2);
    assertEquals(TOTAL, plan.packs());
    assertEquals(TOTAL / globalBatch, plan.steps());
    Set<PackAt> seen = new HashSet<>();
    for (long step = 0; step < plan.steps(); step++) {
      for (int lane = 0; lane < settings.lanes(); lane++) {
        List<PackAt> packs = packs(plan, step, lane);
        assertEquals(microBatch, packs.size());
        for (PackAt pack : packs) {
          assertTrue(pack.pack < PACKS[pack.block] && seen.add(pack), () -> pack + " twice");
        }
      }
    }
    assertEquals(TOTAL / globalBatch * globalBatch, seen.size());
  }

  @Test
  void everyWorldSizeSeesTheSameGlobalBatch() {
    PlanSettings settings = new PlanSettings(7, 48, 2);
    EpochPlan plan = plan(settings, 0);
    for (long step = 0; step < plan.steps(); step += 7) {
      List<PackAt> expected = globalBatch(plan, settings, step, 1);
      for (int worldSize : new int[] {2, 3, 4, 6, 8, 12, 24}) {
        assertEquals(expected, globalBatch(plan, settings, step, worldSize));
      }
    }
  }

  private static List<PackAt> globalBatch(
      EpochPlan plan, PlanSettings settings, long step, int worldSize) {
    List<PackAt> packs = new ArrayList<>();
    for (int rank = 0; rank < worldSize; rank++) {
      RankSpec spec = new RankSpec(rank, worldSize);
      int first = spec.firstLane(settings);
      for (int lane = first; lane < first + spec.lanesPerRank(settings); lane++) {
        packs.addAll(packs(plan, step, lane));
      }
    }
    return packs;
  }

  @Test
  void worldSizeMustDivideTheLanes() {
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class,
            () -> new RankSpec(0, 5).lanesPerRank(new PlanSettings(0, 32, 2)));
    assertEquals(
        "the world size must divide the lanes (global batch 32 / micro batch 2 = 16 lanes), found"
            + " world size 5",
        e.getMessage());
    assertThrows(IllegalArgumentException.class, () -> new PlanSettings(0, 32, 3));
    assertThrows(IllegalArgumentException.class, () -> new RankSpec(2, 2));
  }

  @Test
  void orderDependsOnSeedAndEpoch() {
    PlanSettings settings = new PlanSettings(7, 8, 1);
    List<PackRange> ranges = plan(settings, 0).ranges(3, 2);
    assertEquals(ranges, plan(settings, 0).ranges(3, 2));
    assertNotEquals(ranges, plan(settings, 1).ranges(3, 2));
    assertNotEquals(ranges, plan(new PlanSettings(8, 8, 1), 0).ranges(3, 2));
  }

  @ParameterizedTest
  @CsvSource({"1", "2", "3", "10", "63", "64", "65", "1000", "99991"})
  void permutationIsABijection(int n) {
    BlockPermutation permutation = new BlockPermutation(n, 11, 3);
    BitSet seen = new BitSet();
    long moved = 0;
    for (int i = 0; i < n; i++) {
      seen.set(permutation.apply(i));
      assertEquals(i, permutation.invert(permutation.apply(i)));
      moved += Math.abs(permutation.apply(i) - i);
    }
    long[] inverses = new long[n];
    int from = n / 3;
    permutation.invert(from, n - from, inverses, new long[n]);
    for (int i = from; i < n; i++) {
      assertEquals(permutation.invert(i), inverses[i - from]);
    }
    assertEquals(n, seen.cardinality());
    // A random permutation moves an element by n / 3 on average.
    assertTrue(n < 1000 || Math.abs(moved / (n / 3.0) / n - 1) < 0.1, "moved " + moved);
  }

  /** A cursor must find the same packs after an upgrade: these values never change. */
  @Test
  void permutationIsPinned() {
    BlockPermutation permutation = new BlockPermutation(1000, 42, 7);
    assertEquals(
        List.of(464, 698, 343, 908, 166, 546, 220, 62),
        IntStream.range(0, 8).mapToObj(permutation::apply).toList());
  }

  @Test
  @Timeout(60)
  void fifteenMillionBlocksArePlanned() {
    int[] blocks = IntStream.range(0, 15_000_000).map(block -> 1 + block % 3).toArray();
    EpochPlan plan = new EpochPlan(new Counts(blocks), new PlanSettings(1, 4096, 1), 0);
    assertEquals(30_000_000, plan.packs());
    assertEquals(1, plan.ranges(0, 0).size());
    assertEquals(1, plan.ranges(plan.steps() - 1, 4095).size());
  }
}
