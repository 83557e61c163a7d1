package io.stoker.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.stoker.fixture.Goldens;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The test vectors of the plan, which a second reader can compute as well. They are part of the
 * contract of the format: rows may be added, with empty last columns, and are then completed as
 * {@code GoldenTest} says; what is there never changes.
 */
class PlanGoldenTest {
  private static final Path PERMUTATIONS = Goldens.ROOT.resolve("permutations.csv");
  private static final Path PLANS = Goldens.ROOT.resolve("plans.csv");

  @BeforeAll
  static void writeGoldens() throws IOException {
    if (Goldens.writing()) {
      complete(PERMUTATIONS, rows(PERMUTATIONS).map(PlanGoldenTest::permutation));
      complete(PLANS, rows(PLANS).map(PlanGoldenTest::plan));
    }
  }

  private static void complete(Path file, Stream<String> rows) throws IOException {
    String header = Files.readAllLines(file).get(0);
    Files.writeString(
        file, Stream.concat(Stream.of(header), rows).collect(Collectors.joining("\n", "", "\n")));
  }

  private static Stream<String> rows(Path file) throws IOException {
    return Files.readAllLines(file).stream().skip(1);
  }

  static Stream<String> permutations() throws IOException {
    return rows(PERMUTATIONS);
  }

  static Stream<String> plans() throws IOException {
    return rows(PLANS);
  }

  @ParameterizedTest
  @MethodSource("permutations")
  void permutationsStay(String row) {
    assertEquals(permutation(row), row);
  }

  @ParameterizedTest
  @MethodSource("plans")
  void plansStay(String row) {
    assertEquals(plan(row), row);
  }

  /** blocks, seed, epoch, indices; and then their images. */
  private static String permutation(String row) {
    List<String> cells = cells(row, 4);
    BlockPermutation permutation =
        new BlockPermutation(
            Integer.parseInt(cells.get(0)),
            Long.parseLong(cells.get(1)),
            Long.parseLong(cells.get(2)));
    return completed(
        cells, numbers(cells.get(3)).mapToObj(permutation::apply).map(Object::toString));
  }

  /** packs of each block, seed, epoch, global batch, micro-batch, remainder; then the packs. */
  private static String plan(String row) {
    List<String> cells = cells(row, 6);
    PlanSettings settings =
        new PlanSettings(
            Long.parseLong(cells.get(1)),
            Integer.parseInt(cells.get(3)),
            Integer.parseInt(cells.get(4)),
            Remainder.of(cells.get(5)));
    int[] packs = numbers(cells.get(0)).toArray();
    EpochPlan plan = new EpochPlan(new Counts(packs), settings, Long.parseLong(cells.get(2)));
    List<String> delivered = new ArrayList<>();
    for (long step = 0; step < plan.steps(); step++) {
      for (int lane = 0; lane < settings.lanes(); lane++) {
        for (PackRange range : plan.ranges(step, lane)) {
          for (int pack = range.first(); pack < range.first() + range.count(); pack++) {
            delivered.add(range.block() + "." + pack + (range.padding() ? "+" : ""));
          }
        }
      }
    }
    return completed(cells, delivered.stream());
  }

  private static List<String> cells(String row, int given) {
    return List.of(row.split(",", -1)).subList(0, given);
  }

  private static IntStream numbers(String cell) {
    return Stream.of(cell.split(" ")).mapToInt(Integer::parseInt);
  }

  private static String completed(List<String> cells, Stream<String> found) {
    return String.join(",", cells) + "," + found.collect(Collectors.joining(" "));
  }
}
