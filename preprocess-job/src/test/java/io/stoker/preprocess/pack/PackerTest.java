package io.stoker.preprocess.pack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Properties of packing over seeded lengths. */
class PackerTest {
  private static final int MAX = 4096;
  private static final long NO_BYTE_LIMIT = Long.MAX_VALUE;

  private record Item(int index, int tokens, long bytes) {}

  /** What came out, and how many items had been added when it did. */
  private record Packed(List<Item> pack, int added) {}

  static Stream<Arguments> mixtures() {
    return Stream.of(1, 2, 3)
        .flatMap(
            seed ->
                Stream.of(
                    Arguments.of("realistic", seed, realistic(seed, 3000)),
                    Arguments.of("tiny", seed, items(seed, 3000, 1, 8)),
                    Arguments.of("huge", seed, items(seed, 500, MAX / 2, MAX)),
                    Arguments.of("full", seed, items(seed, 200, MAX, MAX)),
                    Arguments.of("any", seed, items(seed, 2000, 1, MAX)),
                    Arguments.of("one", seed, items(seed, 1, 1, MAX)),
                    Arguments.of("none", seed, items(seed, 0, 1, MAX))));
  }

  private static List<Item> items(int seed, int count, int min, int max) {
    Random random = new Random(seed);
    return IntStream.range(0, count)
        .mapToObj(i -> new Item(i, random.nextInt(min, max + 1), random.nextInt(1, 200_000)))
        .toList();
  }

  /** Mostly single images of 100 to 1200 tokens, and a third short texts of 20 to 200. */
  private static List<Item> realistic(int seed, int count) {
    Random random = new Random(seed);
    List<Item> items = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      boolean text = random.nextInt(3) == 0;
      int tokens = text ? random.nextInt(20, 201) : random.nextInt(100, 1201);
      items.add(new Item(i, tokens, text ? 40L * tokens : random.nextInt(20_000, 300_000)));
    }
    return items;
  }

  @ParameterizedTest(name = "{0}, seed {1}")
  @MethodSource("mixtures")
  void everySampleIsInOnePackAndNoPackIsTooLong(String name, int seed, List<Item> items) {
    Set<Item> seen = new HashSet<>();
    for (Packed packed : pack(new PackSettings(true, MAX, 64, NO_BYTE_LIMIT), items)) {
      assertTrue(!packed.pack().isEmpty(), "no pack is empty");
      assertTrue(tokens(packed.pack()) <= MAX, () -> "at most " + MAX + ": " + packed);
      packed.pack().forEach(item -> assertTrue(seen.add(item), () -> "twice: " + item));
    }
    assertEquals(new HashSet<>(items), seen);
  }

  @ParameterizedTest(name = "{0}, seed {1}")
  @MethodSource("mixtures")
  void theSameSamplesGiveTheSamePacks(String name, int seed, List<Item> items) {
    PackSettings settings = new PackSettings(true, MAX, 64, 2 << 20);
    assertEquals(pack(settings, items), pack(settings, items));
  }

  @ParameterizedTest(name = "{0}, seed {1}")
  @MethodSource("mixtures")
  void lessThanAWindowOfSamplesAndBytesWaits(String name, int seed, List<Item> items) {
    for (int window : new int[] {1, 2, 7, 64}) {
      long windowBytes = 1 << 20;
      Packer<Item> packer = new Packer<>(new PackSettings(true, MAX, window, windowBytes));
      Set<Item> waiting = new HashSet<>();
      for (Item item : items) {
        waiting.add(item);
        packer.add(item, item.tokens(), item.bytes()).forEach(waiting::removeAll);
        assertTrue(waiting.size() < window, () -> waiting.size() + " samples wait");
        long bytes = waiting.stream().mapToLong(Item::bytes).sum();
        assertTrue(bytes < windowBytes, () -> bytes + " bytes wait");
      }
    }
  }

  @ParameterizedTest(name = "{0}, seed {1}")
  @MethodSource("mixtures")
  void aPackStartsWithTheLargestSampleOrTheOldestIfThatHasWaitedLong(
      String name, int seed, List<Item> items) {
    int window = 64;
    List<Item> waiting = new ArrayList<>(items);
    for (Packed packed : pack(new PackSettings(true, MAX, window, NO_BYTE_LIMIT), items)) {
      Item first = packed.pack().get(0);
      Item oldest = waiting.get(0);
      int age = packed.added() - oldest.index();
      if (age > 4 * window) {
        assertEquals(oldest, first);
      } else {
        int largest =
            waiting.stream()
                .filter(item -> item.index() < packed.added())
                .mapToInt(Item::tokens)
                .max()
                .orElseThrow();
        assertEquals(largest, first.tokens());
      }
      // A window may have to wait for its turn, one pack each.
      assertTrue(age <= (4 + window) * window, () -> "waited for " + age);
      waiting.removeAll(packed.pack());
    }
  }

  /** Real mixtures, captions of pictures of one size, and pictures of a third to two of a pack. */
  @Test
  void aWindowOfAnyContentFitsMoreThanNinetyEightAndAHalfPercent() {
    for (int seed = 1; seed <= 3; seed++) {
      assertFits(realistic(seed, 20_000));
      assertFits(items(seed, 20_000, 240, 400));
      assertFits(items(seed, 20_000, 1200, 2800));
    }
  }

  private static void assertFits(List<Item> items) {
    List<Packed> packs = pack(new PackSettings(true, MAX, 512, NO_BYTE_LIMIT), items);
    long tokens = packs.stream().mapToLong(packed -> tokens(packed.pack())).sum();
    double efficiency = (double) tokens / ((long) packs.size() * MAX);
    assertTrue(efficiency >= 0.985, () -> items.get(0) + ": " + efficiency);
  }

  @Test
  void theLargestThatFitsComesNextAndTheOldestOfEqualOnes() {
    Packer<String> packer = new Packer<>(new PackSettings(true, 10, 100, NO_BYTE_LIMIT));
    packer.add("first 4", 4, 1);
    packer.add("3", 3, 1);
    packer.add("older 5", 5, 1);
    packer.add("younger 5", 5, 1);
    packer.add("7", 7, 1);
    packer.add("1", 1, 1);
    List<List<String>> packs = new ArrayList<>();
    packer.finish().forEachRemaining(packs::add);
    assertEquals(
        List.of(List.of("7", "3"), List.of("older 5", "younger 5"), List.of("first 4", "1")),
        packs);
  }

  @Test
  void withoutPackingEverySampleIsAPackAtOnce() {
    Packer<String> packer = new Packer<>(new PackSettings(false, 10, 100, 1));
    assertEquals(List.of(List.of("a")), packer.add("a", 1, 1000));
    assertEquals(List.of(List.of("b")), packer.add("b", 10, 1000));
    assertTrue(!packer.finish().hasNext());
  }

  @ParameterizedTest
  @ValueSource(ints = {Integer.MIN_VALUE, 0, 11, Integer.MAX_VALUE})
  void aSampleThatFitsNoPackIsRefused(int tokens) {
    for (boolean enabled : new boolean[] {true, false}) {
      Packer<String> packer = new Packer<>(new PackSettings(enabled, 10, 100, 1));
      IllegalArgumentException e =
          assertThrows(IllegalArgumentException.class, () -> packer.add("a", tokens, 1));
      assertEquals("expected 1 to 10 tokens, found " + tokens, e.getMessage());
    }
  }

  @Test
  void limitsArePositive() {
    assertThrows(IllegalArgumentException.class, () -> new PackSettings(true, 0, 1, 1));
    assertThrows(IllegalArgumentException.class, () -> new PackSettings(true, 1, 0, 1));
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> new PackSettings(true, 1, 1, 0));
    assertEquals(
        "expected positive limits, found max-tokens 1, window 1, window-bytes 0", e.getMessage());
  }

  private static List<Packed> pack(PackSettings settings, List<Item> items) {
    Packer<Item> packer = new Packer<>(settings);
    List<Packed> packs = new ArrayList<>();
    for (Item item : items) {
      for (List<Item> pack : packer.add(item, item.tokens(), item.bytes())) {
        packs.add(new Packed(pack, item.index() + 1));
      }
    }
    packer.finish().forEachRemaining(pack -> packs.add(new Packed(pack, items.size())));
    return packs;
  }

  private static long tokens(List<Item> pack) {
    return pack.stream().mapToLong(Item::tokens).sum();
  }
}
