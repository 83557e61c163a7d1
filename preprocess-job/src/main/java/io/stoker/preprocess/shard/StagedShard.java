package io.stoker.preprocess.shard;

import io.stoker.index.BlockEntry;
import io.stoker.index.ShardEntry;
import java.io.Serializable;
import java.util.List;

/**
 * A shard that is complete in the store but belongs to no dataset yet.
 *
 * @param entry its name, length and checksum
 * @param blocks its blocks, by offset
 */
public record StagedShard(ShardEntry entry, List<BlockEntry> blocks) implements Serializable {
  public StagedShard {
    blocks = List.copyOf(blocks);
    if (blocks.size() != entry.blocks()) {
      throw new IllegalArgumentException(
          "%s: expected %d blocks, found %d"
              .formatted(entry.name(), entry.blocks(), blocks.size()));
    }
  }
}
