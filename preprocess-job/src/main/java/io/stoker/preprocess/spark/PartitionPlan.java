package io.stoker.preprocess.spark;

import java.util.BitSet;
import java.util.Set;
import org.apache.spark.Partitioner;

/**
 * Which partitions there are, which of them are done already, and which one a row goes to. How many
 * there are is a function of the input alone, never of the cluster.
 */
final class PartitionPlan extends Partitioner {
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
  @Override
  public int numPartitions() {
    return partitions;
  }

  @Override
  public int getPartition(Object key) {
    return ((ShuffleKey) key).partition(partitions);
  }

  boolean isOpen(ShuffleKey key) {
    return isOpen(getPartition(key));
  }

  boolean isOpen(int partition) {
    return !done.get(partition);
  }

  boolean isComplete() {
    return done.nextClearBit(0) >= partitions;
  }

  /** Spark compares partitioners to find out whether rows are where they belong already. */
  @Override
  public boolean equals(Object other) {
    return other instanceof PartitionPlan same
        && same.partitions == partitions
        && same.done.equals(done);
  }

  @Override
  public int hashCode() {
    return partitions;
  }
}
