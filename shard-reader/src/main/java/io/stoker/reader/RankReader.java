package io.stoker.reader;

import io.stoker.common.Threads;
import io.stoker.format.ShardFormatException;
import io.stoker.index.BlockTable;
import io.stoker.index.Dataset;
import io.stoker.plan.Cursor;
import io.stoker.plan.RankSpec;
import io.stoker.store.DatasetStore;
import io.stoker.store.DatasetUnavailableException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * Reads the share of one rank of a dataset, in the order of the plan. Background threads fetch,
 * verify and validate ahead of the trainer; {@link #next} hands over what is ready.
 *
 * <p>One training thread uses a reader. Other threads may call {@link #close} and {@link #stats}.
 */
public final class RankReader implements AutoCloseable {
  private final Dataset dataset;
  private final RankShare share;
  private final long total;
  private final DeliveryMeter meter = new DeliveryMeter();
  private final FetchCounters counters;
  private final BatchQueue queue;
  private final PrefetchThreads threads;
  private final ReaderBean bean;
  private volatile long delivered;
  // Only the training thread uses these: the wait that is going on, and the time of its earlier
  // polls.
  private ReaderEvents.@Nullable Wait wait;
  private long waitedNanos;

  private RankReader(ReaderResources resources, RankShare share) {
    this.dataset = resources.dataset().dataset();
    this.share = share;
    this.total = share.batches();
    this.counters = resources.dataset().counters();
    this.threads = PrefetchThreads.start(resources, share, meter::closed);
    this.queue = threads.queue();
    this.bean = ReaderBean.register(share.rank().rank(), this::stats);
  }

  /**
   * Opens a dataset on a local path.
   *
   * @see #open(URI, RankSpec, ReaderOptions)
   */
  public static RankReader open(Path dataset, RankSpec rank, ReaderOptions options)
      throws IOException {
    return open(dataset.toAbsolutePath().toUri(), rank, options);
  }

  /**
   * Opens a dataset and starts to prefetch.
   *
   * @param dataset the dataset directory: {@code file:}, {@code s3:} or {@code s3a:}
   * @throws ShardFormatException if the index is corrupt, too old or too new
   * @throws IOException if there is no dataset, it cannot be reached or the cache cannot be used
   * @throws IllegalArgumentException if the world size does not divide the lanes, the dataset has
   *     fewer packs than one step, the options resume at another dataset, or the quota of the cache
   *     is smaller than what the plan needs
   */
  public static RankReader open(URI dataset, RankSpec rank, ReaderOptions options)
      throws IOException {
    int lanes = rank.lanesPerRank(options.plan());
    OpenDataset open = OpenDataset.open(dataset, options.store());
    return open(ReaderResources.open(open, options, lanes), rank, options);
  }

  /** Opens a dataset in a store, which the reader then owns. */
  static RankReader open(
      DatasetStore store,
      String location,
      RankSpec rank,
      ReaderOptions options,
      FetchCounters counters)
      throws IOException {
    int lanes = rank.lanesPerRank(options.plan());
    OpenDataset open = OpenDataset.open(store, location, counters);
    return open(ReaderResources.open(open, options, lanes), rank, options);
  }

  /** Reads from resources, which the reader then owns. */
  static RankReader open(ReaderResources resources, RankSpec rank, ReaderOptions options)
      throws IOException {
    try {
      BlockTable table = resources.dataset().table();
      checkDataset(table.dataset(), options);
      return new RankReader(resources, RankShare.of(table, rank, options));
    } catch (IOException | RuntimeException e) {
      resources.close();
      throw e;
    }
  }

  private static void checkDataset(Dataset dataset, ReaderOptions options) {
    String expected = options.datasetId();
    if (expected != null && !expected.equals(dataset.datasetId())) {
      throw new IllegalArgumentException(
          "the cursor is of another run: dataset: expected "
              + dataset.datasetId()
              + ", found "
              + expected);
    }
  }

  /** The dataset being read. */
  public Dataset dataset() {
    return dataset;
  }

  /** Steps of one epoch. */
  public long steps() {
    return share.steps();
  }

  /** Whether {@link #next} has another batch to give; never waits. */
  public boolean hasNext() {
    return delivered < total;
  }

  /**
   * The next micro-batch: the lanes of this rank at one step, then those of the next step. Waits if
   * it is not ready yet.
   *
   * @throws NoSuchElementException after the last batch of the last epoch
   * @throws ShardFormatException if the block is corrupt
   * @throws DatasetUnavailableException if the block cannot be had; the reader stays failed
   * @throws IOException if the thread is interrupted, or a background thread has died
   * @throws AlreadyClosedException if the reader is closed
   */
  public Batch next() throws IOException {
    Batch batch;
    do {
      batch = poll(Long.MAX_VALUE);
    } while (batch == null);
    return batch;
  }

  /**
   * As {@link #next}, but gives up for now if the batch is not ready in time: for callers that have
   * something else to do in between. All polls for one batch count as one wait.
   *
   * @param patience nanoseconds
   * @return null if the batch is not ready by then
   */
  // Only one thread delivers; the others read.
  @SuppressWarnings("NonAtomicVolatileUpdate")
  @Nullable Batch poll(long patience) throws IOException {
    if (!hasNext()) {
      throw new NoSuchElementException("all " + total + " batches have been delivered");
    }
    Batch batch = take(patience);
    if (batch != null) {
      delivered++;
      report();
    }
    return batch;
  }

  private @Nullable Batch take(long patience) throws IOException {
    long start = System.nanoTime();
    if (wait == null) {
      wait = new ReaderEvents.Wait();
      wait.begin();
    }
    BatchQueue.Taken taken;
    try {
      taken = queue.poll(patience);
    } catch (InterruptedException e) {
      throw Threads.interrupted("interrupted in next()", e);
    }
    if (taken == null) {
      waitedNanos += System.nanoTime() - start;
      return null;
    }
    Batch batch = taken.batch();
    boolean waited = taken.waited() || waitedNanos > 0;
    if (waited && wait.shouldCommit()) {
      wait.epoch = batch.epoch();
      wait.step = batch.step();
      wait.lane = batch.lane();
      wait.commit();
    }
    meter.delivered(batch.bytes(), waited, start - waitedNanos, System.nanoTime());
    wait = null;
    waitedNanos = 0;
    return batch;
  }

  private void report() {
    ReaderOptions.Report report = share.options().report();
    int lanes = share.lanes();
    if (report != null && delivered % ((long) report.steps() * lanes) == 0) {
      report.sink().accept("step " + delivered / lanes + ": " + stats().summary());
    }
  }

  /** What was delivered so far, how long the trainer waited for it, and what it depends on. */
  public ReaderStats stats() {
    return meter.stats(counters, queue);
  }

  /**
   * Where to resume: the first step that was not delivered completely. Derived from what {@link
   * #next} has handed out, never from what was prefetched.
   */
  public Cursor cursor() {
    ReaderOptions options = share.options();
    long steps = share.steps();
    long done = options.step() + delivered / share.lanes();
    return Cursor.of(
        dataset.datasetId(), share.settings(), options.epoch() + done / steps, done % steps);
  }

  /**
   * Ends the background threads and waits for their end. Batches that were handed out stay valid
   * until they are closed themselves. Closing twice does nothing.
   */
  @Override
  public void close() {
    bean.close();
    threads.close();
  }
}
