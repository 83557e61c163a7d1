package io.stoker.reader;

import io.stoker.index.BlockEntry;
import io.stoker.index.BlockTable;
import io.stoker.plan.EpochPlan;
import io.stoker.plan.PackRange;
import io.stoker.plan.PlanSettings;
import io.stoker.plan.RankSpec;
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
  private final RankSpec rank;
  private final ReaderOptions options;
  private final EpochPlan firstPlan;
  private final BatchQueue queue;
  private final Executor executor;
  private final LongConsumer onClose;
  private final FetchCounters counters;
  // The block each lane of this rank is in; a lane stays in a block for several steps.
  private final @Nullable BlockUse[] open;
  private final ZeroLoss zeroLoss = new ZeroLoss();
  private long left;

  private record Part(BlockUse use, PackRange range) {}

  Prefetcher(
      BlockTable table,
      BlockSource source,
      RankSpec rank,
      ReaderOptions options,
      EpochPlan firstPlan,
      BatchQueue queue,
      Executor executor,
      LongConsumer onClose,
      FetchCounters counters) {
    this.table = table;
    this.source = source;
    this.rank = rank;
    this.options = options;
    this.firstPlan = firstPlan;
    this.queue = queue;
    this.executor = executor;
    this.onClose = onClose;
    this.counters = counters;
    this.open = new BlockUse[rank.lanesPerRank(options.plan())];
    this.left = options.headspace() > 0 ? options.headspace() : Long.MAX_VALUE;
  }

  @Override
  @SuppressWarnings("InterruptedExceptionSwallowed") // An interrupt ends the thread, as it should.
  public void run() {
    try {
      produce();
      // Seen only if the trainer is owed more: better an error than a wait without end.
      queue.fail(new IllegalStateException("it ended before the last batch"));
    } catch (Throwable e) {
      // Also errors: a thread that dies silently would leave the trainer waiting for ever.
      queue.fail(e);
    }
  }

  private void produce() throws IOException, InterruptedException {
    EpochPlan plan = firstPlan;
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
      plan = EpochPlan.of(table, options.plan(), epoch);
    }
  }

  private boolean produceStep(EpochPlan plan, long step) throws IOException, InterruptedException {
    PlanSettings settings = options.plan();
    for (int slot = 0; slot < open.length; slot++) {
      if (left-- == 0 || !queue.awaitTurn()) {
        return false;
      }
      int lane = rank.firstLane(settings) + slot;
      List<Part> parts = new ArrayList<>(1);
      for (PackRange range : plan.ranges(step, lane)) {
        BlockUse use = use(slot, range.block());
        if (use == null) {
          return false;
        }
        use.hold();
        parts.add(new Part(use, range));
      }
      long extra = extraBytes(parts);
      if (!queue.admit(0, extra)) {
        return false;
      }
      List<BlockUse> uses = parts.stream().map(Part::use).toList();
      queue.add(new BatchQueue.Pending(batch(plan.epoch(), step, lane, parts), uses, extra));
    }
    return true;
  }

  /** What a batch copies, at most. */
  private long extraBytes(List<Part> parts) throws IOException {
    if (options.plan().microBatch() == 1) {
      return 0;
    }
    long bytes = 0;
    for (Part part : parts) {
      BlockEntry entry = table.entry(part.range.block());
      bytes +=
          parts.size() > 1
              ? entry.length()
              : 3L * Long.BYTES * entry.tokens() + Integer.BYTES * (entry.samples() + 1L);
    }
    return bytes;
  }

  /** Returns the block the lane is in now, or null if the queue is closed. */
  private @Nullable BlockUse use(int slot, int block) throws IOException, InterruptedException {
    BlockUse current = open[slot];
    if (current != null && current.block() == block) {
      return current;
    }
    if (current != null) {
      open[slot] = null;
      queue.release(current);
    }
    BlockUse next = new BlockUse(block, table.entry(block).length());
    if (!queue.admit(1, next.bytes())) {
      return null;
    }
    open[slot] = next;
    executor.execute(() -> fetch(next));
    return next;
  }

  private void fetch(BlockUse use) {
    try {
      use.layout().complete(source.open(use.block()));
    } catch (Throwable e) {
      // Whatever it is, the trainer gets it where the batch would have been.
      use.layout().completeExceptionally(e);
    }
  }

  /** Assembled on the thread that completes the last block. */
  private CompletableFuture<Batch> batch(long epoch, long step, int lane, List<Part> parts) {
    CompletableFuture<Batch> result = new CompletableFuture<>();
    CompletableFuture<?>[] layouts =
        parts.stream().map(part -> part.use.layout()).toArray(CompletableFuture<?>[]::new);
    var unused =
        CompletableFuture.allOf(layouts)
            .whenComplete((ignored, failure) -> complete(result, epoch, step, lane, parts));
    return result;
  }

  private void complete(
      CompletableFuture<Batch> result, long epoch, long step, int lane, List<Part> parts) {
    try {
      long start = System.nanoTime();
      List<MicroBatch.Run> runs = new ArrayList<>(parts.size());
      for (Part part : parts) {
        PackRange range = part.range;
        runs.add(
            new MicroBatch.Run(
                part.use.layout().join(),
                range.first(),
                range.count(),
                range.padding() ? zeroLoss : null));
      }
      MicroBatch content = MicroBatch.of(runs);
      counters.cpuNanos.add(System.nanoTime() - start);
      if (content.gathered()) {
        counters.gathered.increment();
      }
      result.complete(new Batch(epoch, step, lane, content, onClose));
    } catch (CompletionException e) {
      result.completeExceptionally(e.getCause() == null ? e : e.getCause());
    } catch (Throwable e) {
      result.completeExceptionally(e);
    }
  }
}
