package io.stoker.preprocess.pack;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class BestFitTest {
  private static int[] fit(int room, int... waiting) {
    TreeMap<Integer, Integer> lengths = new TreeMap<>();
    for (int length : waiting) {
      lengths.merge(length, 1, Integer::sum);
    }
    return new BestFit(
            lengths.keySet().stream().mapToInt(i -> i).toArray(),
            lengths.values().stream().mapToInt(i -> i).toArray())
        .in(room);
  }

  @Test
  void aLengthIsTakenAsOftenAsItWaits() {
    assertArrayEquals(new int[] {5}, fit(10, 5));
    assertArrayEquals(new int[] {5, 5}, fit(10, 5, 5));
    assertArrayEquals(new int[] {3, 3}, fit(10, 3, 3));
    assertArrayEquals(new int[] {3, 3, 3}, fit(10, 3, 3, 3, 3));
    assertArrayEquals(new int[] {4, 4}, fit(9, 4, 4));
    assertArrayEquals(new int[] {4, 3, 3}, fit(10, 3, 3, 4));
    assertArrayEquals(new int[] {4, 4, 2}, fit(10, 4, 4, 2));
  }

  @Test
  void fewerLengthsAreBetterThanMore() {
    assertArrayEquals(new int[] {10}, fit(10, 1, 2, 3, 5, 6, 7, 10, 11));
    assertArrayEquals(new int[] {9, 1}, fit(10, 1, 3, 4, 5, 9));
    assertArrayEquals(new int[0], fit(10, 11, 12));
    assertArrayEquals(new int[0], fit(0, 1));
  }

  @Test
  void noThreeFillMore() {
    Random random = new Random(7);
    for (int round = 0; round < 3000; round++) {
      int[] waiting = random.ints(1 + random.nextInt(9), 1, 40).toArray();
      int room = 1 + random.nextInt(90);
      int[] found = fit(room, waiting);
      String what = Arrays.toString(waiting) + " in " + room + ": " + Arrays.toString(found);
      assertEquals(best(room, 0, 3, waiting), Arrays.stream(found).sum(), what);
      for (int length : found) {
        long needed = Arrays.stream(found).filter(other -> other == length).count();
        long there = Arrays.stream(waiting).filter(other -> other == length).count();
        assertTrue(needed <= there, what);
      }
    }
  }

  private static int best(int room, int from, int most, int... waiting) {
    int best = 0;
    for (int i = from; most > 0 && i < waiting.length; i++) {
      if (waiting[i] <= room) {
        best = Math.max(best, waiting[i] + best(room - waiting[i], i + 1, most - 1, waiting));
      }
    }
    return best;
  }
}
