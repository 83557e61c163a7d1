package io.stoker.reader;

import io.stoker.common.Threads;
import io.stoker.index.BlockTable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongConsumer;

/** The threads behind one reader. They own the queue's producing side and the resources. */
final class PrefetchThreads implements AutoCloseable {
  private static final int LOCAL_THREADS = 2;
  private static final int REMOTE_THREADS = 8;
  private static final long CLOSE_SECONDS = 30;

  private final ReaderResources resources;
  private final BatchQueue queue;
  private final Thread planner;
  private final ExecutorService workers;

  private PrefetchThreads(
      ReaderResources resources, BatchQueue queue, Thread planner, ExecutorService workers) {
    this.resources = resources;
    this.queue = queue;
    this.planner = planner;
    this.workers = workers;
  }

  /** Starts to prefetch what a rank reads. */
  static PrefetchThreads start(ReaderResources resources, RankShare share, LongConsumer onClose) {
    int threads = threads(resources, share.options());
    BatchQueue queue = queue(resources.dataset().table(), share, threads);
    int rank = share.rank().rank();
    AtomicInteger number = new AtomicInteger();
    ExecutorService workers =
        Executors.newFixedThreadPool(
            threads,
            work -> Threads.daemon("stoker-fetch-" + rank + "-" + number.getAndIncrement(), work));
    Thread planner =
        Threads.daemon(
            "stoker-prefetch-" + rank, new Prefetcher(resources, share, queue, workers, onClose));
    planner.start();
    return new PrefetchThreads(resources, queue, planner, workers);
  }

  private static int threads(ReaderResources resources, ReaderOptions options) {
    int automatic = resources.dataset().store().isRemote() ? REMOTE_THREADS : LOCAL_THREADS;
    return options.prefetch().threads() > 0 ? options.prefetch().threads() : automatic;
  }

  /** A queue that is at first deep enough for each thread to have a block to fetch. */
  private static BatchQueue queue(BlockTable table, RankShare share, int threads) {
    long packs = table.dataset().counts().packs();
    long batchesOfBlock = 1 + packs / table.blocks() / share.settings().microBatch();
    ReaderOptions.Prefetch prefetch = share.options().prefetch();
    long depth = prefetch.blocks() == 0 ? 0 : share.lanes() + threads * batchesOfBlock;
    return new BatchQueue(
        prefetch.bytes(), prefetch.blocks(), (int) Math.min(BatchQueue.MAX_DEPTH, depth));
  }

  /** What they fill. */
  BatchQueue queue() {
    return queue;
  }

  /** Ends transfers, waits for the threads and closes the resources. */
  @Override
  public void close() {
    queue.close();
    planner.interrupt();
    workers.shutdownNow();
    // Ends transfers. Threads that are about to finish still need the rest.
    resources.dataset().close();
    try {
      planner.join(TimeUnit.SECONDS.toMillis(CLOSE_SECONDS));
      workers.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS);
      // A thread that still hangs in the store is a daemon. Its block is not needed any more.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      resources.close();
    }
  }
}
