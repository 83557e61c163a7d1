package io.stoker.reader;

import io.stoker.format.BlockLayout;
import java.util.concurrent.CompletableFuture;

/**
 * A block that one lane reads: from the decision to fetch it until its last batch is delivered.
 * Held once by the prefetcher while the lane is in it, and once by each batch on its way; the holds
 * belong to the {@link BatchQueue}, under whose lock they are given up.
 */
final class BlockUse {
  private final int block;
  private final long bytes;
  private final CompletableFuture<BlockLayout> layout = new CompletableFuture<>();
  private int holds = 1;

  BlockUse(int block, long bytes) {
    this.block = block;
    this.bytes = bytes;
  }

  /** Row of the block table. */
  int block() {
    return block;
  }

  /** Length of the block. */
  long bytes() {
    return bytes;
  }

  /** The block, once it is verified. */
  CompletableFuture<BlockLayout> layout() {
    return layout;
  }

  synchronized void hold() {
    holds++;
  }

  /** Returns whether that was the last hold. */
  synchronized boolean release() {
    return --holds == 0;
  }
}
