package io.stoker.preprocess.shard;

import java.io.Serializable;

/**
 * What a block, a shard or several shards hold.
 *
 * @param packs packs
 * @param samples finished samples
 * @param tokens tokens
 * @param supervisedTokens tokens whose label is trained
 * @param patches image patches
 */
public record BlockStats(long packs, long samples, long tokens, long supervisedTokens, long patches)
    implements Serializable {
  /** Nothing. */
  public static final BlockStats NONE = new BlockStats(0, 0, 0, 0, 0);

  /** The sum of both. */
  public BlockStats plus(BlockStats other) {
    return new BlockStats(
        packs + other.packs,
        samples + other.samples,
        tokens + other.tokens,
        supervisedTokens + other.supervisedTokens,
        patches + other.patches);
  }
}
