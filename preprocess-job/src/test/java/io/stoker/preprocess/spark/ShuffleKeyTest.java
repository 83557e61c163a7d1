package io.stoker.preprocess.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Where rows go, and that they always go there. */
class ShuffleKeyTest {
  /** Computed by another implementation: datasets that were written must stay as they are. */
  @ParameterizedTest
  @CsvSource({
    "0, 0, 0, 238275bc38fcbe91, 0",
    "1, 0, 0, 2f32a78496c67c60, 1",
    "0, 1, 0, 44e5b98100c67fb0, 1",
    "0, 0, 1, b18a02f46d8d86c3, 4",
    "-1, 81985529216486895, 4711, dae25b0a4d0b7479, 5"
  })
  void keysNeverChange(long seed, long content, long offset, String hash, int partitionOfSeven) {
    ShuffleKey key = ShuffleKey.of(seed, content, 3, offset);
    assertEquals(new ShuffleKey(Long.parseUnsignedLong(hash, 16), 3, offset), key);
    assertEquals(partitionOfSeven, key.partition(7));
  }

  @Test
  void theOrderIsThatOfUnsignedHashesThenOfPlaces() {
    List<ShuffleKey> ordered =
        List.of(
            new ShuffleKey(0, 9, 9),
            new ShuffleKey(1, 0, 5),
            new ShuffleKey(1, 0, 6),
            new ShuffleKey(1, 1, 0),
            new ShuffleKey(Long.MAX_VALUE, 0, 0),
            new ShuffleKey(Long.MIN_VALUE, 0, 0),
            new ShuffleKey(-1, 0, 0));
    List<ShuffleKey> shuffled = new ArrayList<>(ordered);
    Collections.shuffle(shuffled, new Random(1));
    Collections.sort(shuffled);
    assertEquals(ordered, shuffled);
    for (ShuffleKey a : ordered) {
      for (ShuffleKey b : ordered) {
        assertEquals(a.equals(b), a.compareTo(b) == 0);
        assertEquals(Integer.signum(a.compareTo(b)), -Integer.signum(b.compareTo(a)));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 64, 1000, 1 << 20, Integer.MAX_VALUE})
  void partitionsAreRangesInTheOrderOfKeys(int partitions) {
    assertEquals(0, new ShuffleKey(0, 0, 0).partition(partitions));
    assertEquals(partitions - 1, new ShuffleKey(-1, 0, 0).partition(partitions));
    TreeSet<ShuffleKey> keys = new TreeSet<>();
    for (int i = 0; i < 10_000; i++) {
      keys.add(ShuffleKey.of(42, 7, 0, i));
    }
    int before = 0;
    for (ShuffleKey key : keys) {
      int partition = key.partition(partitions);
      assertTrue(partition >= before && partition < partitions, () -> key + ": " + partition);
      before = partition;
    }
  }

  @Test
  void everyPartitionGetsItsShare() {
    int[] rows = new int[64];
    for (int offset = 0; offset < 64_000; offset++) {
      rows[ShuffleKey.of(1, 2, 0, 100L * offset).partition(rows.length)]++;
    }
    for (int share : rows) {
      // A thousand each; the standard deviation is 31.
      assertTrue(share > 850 && share < 1150, () -> "rows of a partition: " + share);
    }
  }

  @Test
  void theSeedTheContentAndThePlaceAllMatter() {
    TreeSet<Long> hashes = new TreeSet<>();
    for (int seed = 0; seed < 10; seed++) {
      for (int content = 0; content < 10; content++) {
        for (int offset = 0; offset < 10; offset++) {
          hashes.add(ShuffleKey.of(seed, content, 0, offset).hash());
        }
      }
    }
    assertEquals(1000, hashes.size());
  }

  @Test
  void thePartitionerSendsRowsWhereTheirKeysSay() {
    PartitionPlan plan = new PartitionPlan(7, 1, Set.of());
    assertEquals(7, plan.numPartitions());
    ShuffleKey key = ShuffleKey.of(0, 0, 0, 1);
    assertEquals(key.partition(7), plan.getPartition(key));
    assertEquals(new PartitionPlan(14, 2, Set.of()), plan);
    assertEquals(new PartitionPlan(14, 2, Set.of()).hashCode(), plan.hashCode());
    assertFalse(plan.equals(new PartitionPlan(8, 1, Set.of())));
    assertFalse(plan.equals(new PartitionPlan(7, 1, Set.of(0))));
  }
}
