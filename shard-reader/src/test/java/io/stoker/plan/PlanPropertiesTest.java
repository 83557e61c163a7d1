package io.stoker.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TimeZone;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What must hold for every dataset, batch size, remainder policy, world size and step. */
class PlanPropertiesTest {
  private static final int EPOCHS = 3;

  /** A dataset and how it is read. */
  private record Run(Counts counts, PlanSettings settings) {
    EpochPlan plan(long epoch) {
      return new EpochPlan(counts, settings, epoch);
    }

    int packs() {
      return IntStream.of(counts.packs()).sum();
    }

    @Override
    public String toString() {
      return counts.blocks() + " blocks, " + packs() + " packs, " + settings;
    }
  }

  /** A pack that a lane was given. */
  private record Given(long epoch, long step, int lane, int block, int pack, boolean padding) {}

  static Stream<Run> runs() {
    Random random = new Random(20_260_101);
    List<Run> runs = new ArrayList<>();
    for (int blocks : new int[] {1, 2, 3, 7, 40, 129}) {
      for (int microBatch = 1; microBatch <= 4; microBatch++) {
        for (Remainder remainder : Remainder.values()) {
          int[] packs = random.ints(blocks, 1, 8).toArray();
          int lanes = 1 + random.nextInt(6);
          runs.add(
              new Run(
                  new Counts(packs),
                  new PlanSettings(random.nextLong(), lanes * microBatch, microBatch, remainder)));
        }
      }
    }
    return runs.stream().filter(run -> run.settings.steps(run.packs()) > 0);
  }

  /** What a job of some world size is given from a cursor on: rank by rank at each step. */
  private static List<Given> read(Run run, Cursor from, int worldSize, long steps)
      throws IOException {
    // A restarted process reads the cursor from text and makes its own plans.
    Cursor cursor = CursorParser.fromJson(CursorParser.toJson(from));
    assertEquals(from, cursor);
    cursor.checkFits("d", run.settings);
    List<Given> given = new ArrayList<>();
    EpochPlan plan = run.plan(cursor.epoch());
    long step = cursor.step();
    for (long i = 0; i < steps; i++) {
      if (step == plan.steps()) {
        plan = run.plan(plan.epoch() + 1);
        step = 0;
      }
      for (int rank = 0; rank < worldSize; rank++) {
        RankSpec spec = new RankSpec(rank, worldSize);
        int first = spec.firstLane(run.settings);
        for (int lane = first; lane < first + spec.lanesPerRank(run.settings); lane++) {
          assertEquals(spec, RankSpec.serving(lane, run.settings, worldSize));
          given.addAll(given(plan, step, lane));
        }
      }
      step++;
    }
    return given;
  }

  private static List<Given> given(EpochPlan plan, long step, int lane) {
    List<Given> given = new ArrayList<>();
    for (PackRange range : plan.ranges(step, lane)) {
      for (int pack = range.first(); pack < range.first() + range.count(); pack++) {
        given.add(new Given(plan.epoch(), step, lane, range.block(), pack, range.padding()));
      }
    }
    return given;
  }

  private static Cursor after(Run run, long steps) {
    long perEpoch = run.plan(0).steps();
    return Cursor.of("d", run.settings, steps / perEpoch, steps % perEpoch);
  }

  @ParameterizedTest
  @MethodSource("runs")
  void rowsBeforeAndAfterAResumeAreThePlan(Run run) throws IOException {
    long total = EPOCHS * run.plan(0).steps();
    int batch = run.settings.globalBatch();
    List<Given> plan = read(run, after(run, 0), 1, total);
    assertEquals(total * batch, plan.size());
    Random random = new Random(run.settings.seed());
    // Every step, or as many as keep the test short, the ends of epochs always among them.
    long stride = Math.max(1, total / 40);
    for (long k = 0; k <= total; k += k % run.plan(0).steps() == 0 ? 1 : stride) {
      // Twice in a row: once more at a later step, or at the same one.
      long later = k + random.nextInt((int) (total - k) + 1);
      List<Given> resumed = new ArrayList<>(plan.subList(0, (int) k * batch));
      resumed.addAll(read(run, after(run, k), run.settings.lanes(), later - k));
      resumed.addAll(read(run, after(run, later), 1, total - later));
      assertEquals(plan, resumed, "resumed at " + k + " and " + later);
    }
  }

  @ParameterizedTest
  @MethodSource("runs")
  void anEpochIsAllPacksOnceButTheStatedRemainder(Run run) {
    for (long epoch = 0; epoch < EPOCHS; epoch++) {
      EpochPlan plan = run.plan(epoch);
      assertEquals(run.plan(0).steps(), plan.steps(), "the same number of steps in every epoch");
      List<Given> real = new ArrayList<>();
      List<Given> padding = new ArrayList<>();
      for (int lane = 0; lane < run.settings.lanes(); lane++) {
        for (long step = 0; step < plan.steps(); step++) {
          given(plan, step, lane).forEach(pack -> (pack.padding ? padding : real).add(pack));
        }
      }
      Set<List<Integer>> distinct = new HashSet<>();
      real.forEach(pack -> distinct.add(List.of(pack.block, pack.pack)));
      assertEquals(real.size(), distinct.size(), "no repeat");
      assertEquals(run.packs() - plan.dropped(), real.size());
      assertEquals(plan.padding(), padding.size());
      assertEquals(
          run.packs() % run.settings.globalBatch() == 0, plan.dropped() + plan.padding() == 0);
      assertTrue(Math.max(plan.dropped(), plan.padding()) < run.settings.globalBatch());
      assertTrue(
          run.settings.remainder() == Remainder.DROP ? padding.isEmpty() : plan.dropped() == 0);
      // Padding is the sequence from its start, over again if it is shorter.
      for (int i = 0; i < padding.size(); i++) {
        Given pack = real.get(i % real.size());
        assertEquals(pack.block, padding.get(i).block);
        assertEquals(pack.pack, padding.get(i).pack);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("runs")
  void deliveriesAreTheInverseOfRuns(Run run) {
    EpochPlan plan = run.plan(1);
    Map<List<Integer>, List<Delivery>> expected = new HashMap<>();
    for (int lane = 0; lane < run.settings.lanes(); lane++) {
      for (long step = 0; step < plan.steps(); step++) {
        List<Given> given = given(plan, step, lane);
        for (int slot = 0; slot < given.size(); slot++) {
          Given pack = given.get(slot);
          expected
              .computeIfAbsent(List.of(pack.block, pack.pack), key -> new ArrayList<>())
              .add(new Delivery(step, lane, slot, pack.padding));
        }
      }
    }
    for (int block = 0; block < run.counts.blocks(); block++) {
      for (int pack = 0; pack < run.counts.packs(block); pack++) {
        assertEquals(
            expected.getOrDefault(List.of(block, pack), List.of()), plan.deliveries(block, pack));
      }
    }
  }

  @Test
  void allPairsOfWorldSizesGiveTheSameGlobalBatches() throws IOException {
    int[] worldSizes = {1, 2, 3, 4, 6, 8, 12};
    int[] packs = new Random(11).ints(90, 1, 12).toArray();
    for (Remainder remainder : Remainder.values()) {
      Run run = new Run(new Counts(packs), new PlanSettings(4, 48, 2, remainder));
      long total = EPOCHS * run.plan(0).steps();
      List<Given> expected = read(run, after(run, 0), 1, total);
      for (int before : worldSizes) {
        for (int behind : worldSizes) {
          long k = (before * 31L + behind) % (total + 1);
          List<Given> given = new ArrayList<>(read(run, after(run, 0), before, k));
          given.addAll(read(run, after(run, k), behind, total - k));
          assertEquals(expected, given, before + " ranks, from step " + k + " on " + behind);
        }
      }
    }
  }

  @Test
  void fewerPacksThanLanesArePadded() {
    Run run = new Run(new Counts(2, 1), new PlanSettings(1, 8, 1, Remainder.PAD));
    EpochPlan plan = run.plan(0);
    assertEquals(1, plan.steps());
    assertEquals(5, plan.padding());
    List<Boolean> padding = new ArrayList<>();
    for (int lane = 0; lane < 8; lane++) {
      padding.add(given(plan, 0, lane).get(0).padding);
    }
    assertEquals(List.of(false, false, false, true, true, true, true, true), padding);
    assertEquals(0, new Run(run.counts, new PlanSettings(1, 8, 1)).plan(0).steps());
    assertEquals(
        List.of(), new Run(run.counts, new PlanSettings(1, 8, 1)).plan(0).deliveries(1, 0));
    assertEquals(0, new Run(new Counts(), run.settings).plan(0).steps());
  }

  @Test
  void aRankMayHaveNothingButPadding() {
    Run run = new Run(new Counts(3), new PlanSettings(1, 8, 4, Remainder.PAD));
    RankSpec second = new RankSpec(1, 2);
    List<Given> given = given(run.plan(0), 0, second.firstLane(run.settings));
    assertEquals(4, given.size());
    assertTrue(given.stream().allMatch(Given::padding));
  }

  @Test
  void manyThreadsAndOneGiveTheSamePlan() {
    // Enough blocks for several threads; what is expected is computed by one.
    int[] packs = new Random(2).ints(400_000, 1, 9).toArray();
    PlanSettings settings = new PlanSettings(9, 64, 2);
    EpochPlan plan = new EpochPlan(new Counts(packs), settings, 3);
    assertEquals(IntStream.of(packs).asLongStream().sum(), plan.packs());
    BlockPermutation permutation = new BlockPermutation(packs.length, 9, 3);
    long position = 0;
    List<Integer> checked = new ArrayList<>();
    for (int i = 0; i < packs.length; i++) {
      int block = permutation.apply(i);
      if (i % 997 == 0 && position < plan.steps() * 64) {
        Delivery first = plan.deliveries(block, 0).get(0);
        assertEquals(position, (first.lane() * plan.steps() + first.step()) * 2 + first.slot());
        checked.add(block);
      }
      position += packs[block];
    }
    assertTrue(checked.size() > 400);
  }

  @Test
  void placeAndTimeMakeNoDifference() {
    Run run = new Run(new Counts(5, 3, 8, 1, 9), new PlanSettings(77, 6, 2));
    List<Given> expected = given(run.plan(2), 1, 2);
    Locale locale = Locale.getDefault();
    TimeZone zone = TimeZone.getDefault();
    try {
      Locale.setDefault(Locale.forLanguageTag("ar-SA-u-nu-arab"));
      TimeZone.setDefault(TimeZone.getTimeZone("Asia/Kathmandu"));
      assertEquals(expected, given(run.plan(2), 1, 2));
      String json = CursorParser.toJson(after(run, 3));
      assertTrue(json.endsWith("\"lanes\":3,\"micro-batch\":2,\"remainder\":\"drop\"}"), json);
      Locale.setDefault(Locale.forLanguageTag("tr"));
      assertEquals(
          List.of("drop", "pad"), Arrays.stream(Remainder.values()).map(Remainder::word).toList());
    } finally {
      Locale.setDefault(locale);
      TimeZone.setDefault(zone);
    }
  }
}
