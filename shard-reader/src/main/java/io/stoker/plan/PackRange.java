package io.stoker.plan;

/**
 * Neighbouring packs of one block.
 *
 * @param block row of the block table
 * @param first first pack in the block
 * @param count number of packs, at least 1
 * @param padding whether they only fill a step up: their loss must be zero, so every label of them
 *     is to be served as {@link io.stoker.format.ShardFormat#IGNORED_LABEL}
 */
public record PackRange(int block, int first, int count, boolean padding) {
  public PackRange {
    if (block < 0 || first < 0 || count < 1) {
      throw new IllegalArgumentException(
          "impossible range of " + count + " packs from pack " + first + " of block " + block);
    }
  }
}
