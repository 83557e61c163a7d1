package io.stoker.plan;

import io.stoker.index.BlockTable;

/** How many packs each block has: all that a plan takes from a block table. Thread-safe. */
interface PackCounts {
  /** Number of blocks. */
  int blocks();

  /** Packs of one block, as stored; a damaged table may have any value. */
  int packs(int block);

  /** Packs of {@code count} neighbouring blocks, into the front of {@code packs}. */
  void read(int first, int count, int[] packs);

  /** The packs column of a block table. */
  static PackCounts of(BlockTable table) {
    return new PackCounts() {
      @Override
      public int blocks() {
        return table.blocks();
      }

      @Override
      public int packs(int block) {
        return table.packs(block);
      }

      @Override
      public void read(int first, int count, int[] packs) {
        table.packs(first, count, packs);
      }
    };
  }
}
