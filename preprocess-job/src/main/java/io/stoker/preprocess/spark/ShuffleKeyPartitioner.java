package io.stoker.preprocess.spark;

import org.apache.spark.Partitioner;

/** Sends a row where its key says. */
final class ShuffleKeyPartitioner extends Partitioner {
  private static final long serialVersionUID = 1L;

  private final int partitions;

  ShuffleKeyPartitioner(int partitions) {
    this.partitions = partitions;
  }

  @Override
  public int numPartitions() {
    return partitions;
  }

  @Override
  public int getPartition(Object key) {
    return ((ShuffleKey) key).partition(partitions);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ShuffleKeyPartitioner same && same.partitions == partitions;
  }

  @Override
  public int hashCode() {
    return partitions;
  }
}
