package io.stoker.plan;

/**
 * Blocks that a test makes up.
 *
 * @param packs packs of each block
 */
@SuppressWarnings("ArrayRecordComponent")
record Counts(int... packs) implements PackCounts {
  @Override
  public int blocks() {
    return packs.length;
  }

  @Override
  public int packs(int block) {
    return packs[block];
  }

  @Override
  public void read(int first, int count, int[] target) {
    System.arraycopy(packs, first, target, 0, count);
  }
}
