package io.stoker.index;

import io.stoker.format.ShardFormatException;

/**
 * A block that has been looked up: what is needed to read and to check it.
 *
 * @param block row of the block table
 * @param shard the shard it is in
 * @param entry its row, checked
 */
public record BlockRef(int block, ShardEntry shard, BlockEntry entry) {
  /** How messages name it. */
  public String name() {
    return ShardFormatException.blockName(shard.name(), entry.offset());
  }

  /** Bytes of the block, which fit into one buffer. */
  public int length() {
    return Math.toIntExact(entry.length());
  }
}
