package io.stoker.preprocess.commit;

import java.io.Serializable;
import java.util.List;
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
}
