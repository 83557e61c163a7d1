package io.stoker.preprocess.shard;

import java.io.Serializable;

/**
 * Where shards and blocks end.
 *
 * @param maxBytes length at which a shard is finished, at most {@link #MAX_BYTES}
 * @param blockBytes length at which a block is finished, at most {@link #MAX_BLOCK_BYTES}
 */
public record ShardSettings(long maxBytes, long blockBytes) implements Serializable {
  /** Most bytes that may be configured: a shard may pass its limit by one block. */
  public static final long MAX_BYTES = 1 << 30;

  /** The same of a block, whose pixels must fit into one array together with one more pack. */
  public static final long MAX_BLOCK_BYTES = 256 << 20;

  public ShardSettings {
    if (blockBytes < 1
        || blockBytes > MAX_BLOCK_BYTES
        || maxBytes < blockBytes
        || maxBytes > MAX_BYTES) {
      throw new IllegalArgumentException(
          "expected block.bytes <= 256m and block.bytes <= shard.max-bytes <= 1g, found %d and %d"
              .formatted(blockBytes, maxBytes));
    }
  }
}
