package io.stoker.reader;

import io.stoker.format.BlockLayout;
import io.stoker.index.BlockRef;
import java.util.concurrent.CompletableFuture;

/**
 * A block that one lane reads: from the decision to fetch it until its last batch is delivered.
 * Held once by the prefetcher while the lane is in it, and once by each batch on its way; the holds
 * belong to the {@link BatchQueue}, under whose lock they are given up.
 */
final class BlockUse {
  private final BlockRef ref;
  private final CompletableFuture<BlockLayout> layout = new CompletableFuture<>();
  private int holds = 1;

  BlockUse(BlockRef ref) {
    this.ref = ref;
  }

  BlockRef ref() {
    return ref;
  }

  /** Length of the block. */
  long bytes() {
    return ref.length();
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
