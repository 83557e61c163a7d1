package io.stoker.preprocess.commit;

import io.stoker.preprocess.measure.Counts;
import io.stoker.preprocess.measure.StageTimes;
import io.stoker.preprocess.shard.StagedShard;
import java.io.Serializable;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a finished task returns: small, whatever the partition's size.
 *
 * @param partition index of the partition
 * @param shards its shards in order
 * @param rejects name of the object with its rejected rows, or null when there are none
 * @param counts its accounts
 * @param times where its time went
 */
public record StagedPartition(
    int partition,
    List<StagedShard> shards,
    @Nullable String rejects,
    Counts counts,
    StageTimes times)
    implements Serializable {
  public StagedPartition {
    shards = List.copyOf(shards);
  }

  /** The accounts of several partitions together. */
  public static Counts counts(Collection<StagedPartition> partitions) {
    return partitions.stream().map(StagedPartition::counts).reduce(Counts.none(), Counts::plus);
  }

  /** The times of several partitions together. */
  public static StageTimes times(Collection<StagedPartition> partitions) {
    return partitions.stream()
        .map(StagedPartition::times)
        .reduce(StageTimes.none(), StageTimes::plus);
  }

  /** The objects with the rejected rows of several partitions, in their order. */
  public static List<String> rejects(Collection<StagedPartition> partitions) {
    return partitions.stream().flatMap(p -> Stream.ofNullable(p.rejects())).toList();
  }
}
