package io.stoker.preprocess.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which partitions there are and which are still to be done. */
class PartitionPlanTest {
  @ParameterizedTest
  @CsvSource({
    "1, 2048, 1",
    "2048, 2048, 1",
    "2049, 2048, 2",
    "30, 1, 30",
    "5000000000, 4096, 1220704"
  })
  void theRowsAloneDecideHowMany(long rows, long partitionRows, int partitions) {
    assertEquals(partitions, new PartitionPlan(rows, partitionRows, Set.of()).numPartitions());
    assertEquals(partitions, new PartitionPlan(rows, partitionRows, Set.of(0)).numPartitions());
  }

  @Test
  void moreThanCanBeCountedIsAnError() {
    assertThrows(ArithmeticException.class, () -> new PartitionPlan(1L << 40, 1, Set.of()));
  }

  @Test
  void aFinishedPartitionIsClosedForItsRowsOnly() {
    PartitionPlan plan = new PartitionPlan(40, 10, Set.of(1, 3));
    assertTrue(plan.isOpen(0));
    assertFalse(plan.isOpen(1));
    assertTrue(plan.isOpen(2));
    assertFalse(plan.isOpen(3));
    assertFalse(plan.isComplete());
    for (int offset = 0; offset < 1000; offset++) {
      ShuffleKey key = ShuffleKey.of(1, 2, 0, offset);
      assertEquals(key.partition(4) % 2 == 0, plan.isOpen(key));
    }
  }

  @Test
  void allFinishedIsComplete() {
    assertTrue(new PartitionPlan(40, 10, Set.of(0, 1, 2, 3)).isComplete());
    assertFalse(new PartitionPlan(41, 10, Set.of(0, 1, 2, 3)).isComplete());
    assertFalse(new PartitionPlan(1, 10, Set.of()).isComplete());
  }
}
