package io.stoker.preprocess.spark;

import java.io.Serializable;
import java.util.BitSet;
import java.util.Set;

/**
 * Which partitions there are and which are done already. How many is a function of the input alone,
 * never of the cluster.
 */
final class PartitionPlan implements Serializable {
  private static final long serialVersionUID = 1L;

  private final int partitions;
  private final BitSet done = new BitSet();

  /**
   * @param rows rows of all manifests
   * @param partitionRows rows of a partition, on average
   * @param finished partitions that an earlier run finished
   */
  PartitionPlan(long rows, long partitionRows, Set<Integer> finished) {
    this.partitions = Math.toIntExact((rows + partitionRows - 1) / partitionRows);
    finished.forEach(done::set);
  }

  /** Number of partitions, done or not. */
  int partitions() {
    return partitions;
  }

  boolean isOpen(ShuffleKey key) {
    return isOpen(key.partition(partitions));
  }

  boolean isOpen(int partition) {
    return !done.get(partition);
  }

  boolean isComplete() {
    return done.nextClearBit(0) >= partitions;
  }
}
