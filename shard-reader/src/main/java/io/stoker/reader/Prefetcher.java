package io.stoker.reader;

import io.stoker.format.BlockLayout;
import io.stoker.index.BlockEntry;
import io.stoker.index.BlockTable;
import io.stoker.plan.EpochPlan;
import io.stoker.plan.PackRange;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Walks the plan ahead of the trainer: one thread that decides what is needed next, and an executor
 * that fetches, verifies and gathers. The order of the plan is the order of the queue.
 */
final class Prefetcher implements Runnable {
  private final BlockTable table;
  private final BlockSource source;
  private final FetchCounters counters;
  private final RankShare share;
  private final BatchQueue queue;
  private final Executor executor;
  private final LongConsumer onClose;
  // The block each lane of this rank is in; a lane stays in a block for several steps.
  private final @Nullable BlockUse[] open;
  private final ZeroLoss zeroLoss = new ZeroLoss();

  /** A batch to be assembled: the ranges of packs, and the blocks they are in, side by side. */
  private record Order(
      long epoch, long step, int lane, List<PackRange> ranges, List<BlockUse> uses) {}

  Prefetcher(
      ReaderResources resources,
      RankShare share,
      BatchQueue queue,
      Executor executor,
      LongConsumer onClose) {
    this.table = resources.dataset().table();
    this.source = resources.source();
    this.counters = resources.dataset().counters();
    this.share = share;
    this.queue = queue;
    this.executor = executor;
    this.onClose = onClose;
    this.open = new BlockUse[share.lanes()];
  }

  @Override
  @SuppressWarnings("InterruptedExceptionSwallowed") // An interrupt ends the thread, as it should.
  public void run() {
    try {
      produce();
      // The trainer sees this only if more batches are due. An error is better than an endless
      // wait.
      queue.fail(new IllegalStateException("it ended before the last batch"));
    } catch (Throwable e) {
      // Errors too: a thread that dies silently would leave the trainer waiting for ever.
      queue.fail(e);
    }
  }

  private void produce() throws IOException, InterruptedException {
    ReaderOptions options = share.options();
    EpochPlan plan = share.plan();
    long step = options.step();
    for (long epoch = options.epoch(); ; step = 0) {
      for (; step < plan.steps(); step++) {
        if (!produceStep(plan, step)) {
          return;
        }
      }
      if (++epoch == options.epoch() + options.epochs()) {
        return;
      }
      plan = EpochPlan.of(table, share.settings(), epoch);
    }
  }

  private boolean produceStep(EpochPlan plan, long step) throws IOException, InterruptedException {
    for (int slot = 0; slot < open.length; slot++) {
      if (!queue.awaitTurn()) {
        return false;
      }
      int lane = share.firstLane() + slot;
      List<PackRange> ranges = plan.ranges(step, lane);
      List<BlockUse> uses = new ArrayList<>(1);
      for (PackRange range : ranges) {
        BlockUse use = use(slot, range.block());
        if (use == null) {
          return false;
        }
        use.hold();
        uses.add(use);
      }
      long extra = extraBytes(uses);
      if (!queue.admit(0, extra)) {
        return false;
      }
      Order order = new Order(plan.epoch(), step, lane, ranges, uses);
      queue.add(new BatchQueue.Pending(batch(order), uses, extra));
    }
    return true;
  }

  /** What a batch copies, at most. */
  private long extraBytes(List<BlockUse> uses) {
    if (share.settings().microBatch() == 1) {
      return 0;
    }
    long bytes = 0;
    for (BlockUse use : uses) {
      BlockEntry entry = use.ref().entry();
      bytes +=
          uses.size() > 1
              ? entry.length()
              : 3L * Long.BYTES * entry.tokens() + Integer.BYTES * (entry.samples() + 1L);
    }
    return bytes;
  }

  /** Returns the block the lane is in now, or null if the queue is closed. */
  private @Nullable BlockUse use(int slot, int block) throws IOException, InterruptedException {
    BlockUse current = open[slot];
    if (current != null && current.ref().block() == block) {
      return current;
    }
    if (current != null) {
      open[slot] = null;
      queue.release(current);
    }
    BlockUse next = new BlockUse(table.ref(block));
    if (!queue.admit(1, next.bytes())) {
      return null;
    }
    open[slot] = next;
    executor.execute(() -> fetch(next));
    return next;
  }

  private void fetch(BlockUse use) {
    try {
      use.layout().complete(source.open(use.ref()));
    } catch (Throwable e) {
      // The trainer gets every error in the place where the batch would have been.
      use.layout().completeExceptionally(e);
    }
  }

  /** Assembled on the thread that completes the last block. */
  private CompletableFuture<Batch> batch(Order order) {
    CompletableFuture<Batch> result = new CompletableFuture<>();
    CompletableFuture<?>[] layouts =
        order.uses.stream().map(BlockUse::layout).toArray(CompletableFuture<?>[]::new);
    var unused =
        CompletableFuture.allOf(layouts)
            .whenComplete((ignored, failure) -> complete(result, order));
    return result;
  }

  private void complete(CompletableFuture<Batch> result, Order order) {
    try {
      long start = System.nanoTime();
      List<MicroBatch.Part> parts = new ArrayList<>(order.ranges.size());
      for (int i = 0; i < order.ranges.size(); i++) {
        PackRange range = order.ranges.get(i);
        BlockLayout block = order.uses.get(i).layout().join();
        parts.add(new MicroBatch.Part(block, range, range.padding() ? zeroLoss : null));
      }
      MicroBatch content = MicroBatch.of(parts);
      counters.cpuNanos.add(System.nanoTime() - start);
      if (content.gathered()) {
        counters.gathered.increment();
      }
      result.complete(new Batch(order.epoch, order.step, order.lane, content, onClose));
    } catch (CompletionException e) {
      result.completeExceptionally(e.getCause() == null ? e : e.getCause());
    } catch (Throwable e) {
      result.completeExceptionally(e);
    }
  }
}
