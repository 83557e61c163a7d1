package io.stoker.reader;

import io.stoker.plan.Cursor;
import io.stoker.plan.PlanSettings;
import io.stoker.store.StoreOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * How a rank reads.
 *
 * @param plan seed and batch sizes
 * @param epoch first epoch to read
 * @param step first step in that epoch
 * @param epochs number of epochs to read, the first one included even if it is entered midway
 * @param datasetId the dataset that must be found, or null if any will do
 * @param prefetch how far to read ahead
 * @param store settings of the store, by the keys of {@link StoreOptions}; what is missing comes
 *     from the environment ({@code AWS_ENDPOINT_URL}, {@code AWS_REGION}, …)
 * @param cache where to keep blocks of a remote dataset, or null to keep them in memory only; a
 *     dataset on a local path is read in place and never cached
 * @param report where to report progress, or null
 */
public record ReaderOptions(
    PlanSettings plan,
    long epoch,
    long step,
    int epochs,
    @Nullable String datasetId,
    Prefetch prefetch,
    Map<String, String> store,
    @Nullable Cache cache,
    @Nullable Report report) {
  /**
   * How far to read ahead. The depth in batches adapts itself within these bounds; the blocks of
   * one batch of each lane are always allowed.
   *
   * @param bytes bytes of blocks to be ready, or on their way, ahead of the trainer
   * @param blocks blocks; 0 switches prefetching off, so that its worth can be measured
   * @param threads blocks to be fetched and verified at the same time; 0 for 8 if the dataset is
   *     remote and 2 if it is local
   */
  public record Prefetch(long bytes, int blocks, int threads) {
    /** 256 MiB. */
    public static final Prefetch DEFAULT = new Prefetch(256L << 20, 1024, 0);

    /** Nothing is fetched before it is asked for. */
    public static final Prefetch OFF = new Prefetch(1, 0, 0);

    public Prefetch {
      if (bytes < 1 || blocks < 0 || threads < 0) {
        throw new IllegalArgumentException(
            "prefetch: impossible bytes " + bytes + ", blocks " + blocks + ", threads " + threads);
      }
    }
  }

  /**
   * The cache of a node, shared by all ranks that name the same directory.
   *
   * @param directory a directory of the cache's own, which belongs to the user and is closed to
   *     others; created if missing
   * @param maxBytes bytes of blocks to keep
   * @param patience how long to wait for another rank that fetches the same block
   */
  public record Cache(Path directory, long maxBytes, Duration patience) {
    public Cache {
      if (maxBytes < 1 || patience.isNegative()) {
        throw new IllegalArgumentException(
            "cache: impossible cache.max-bytes " + maxBytes + " or patience " + patience);
      }
    }

    /** Waits for two minutes at most. */
    public static Cache of(Path directory, long maxBytes) {
      return new Cache(directory, maxBytes, Duration.ofMinutes(2));
    }
  }

  /**
   * Where to report progress.
   *
   * @param steps number of steps between two lines
   * @param sink takes {@link ReaderStats#summary()}, on the training thread inside {@code next()}
   */
  public record Report(int steps, Consumer<String> sink) {
    public Report {
      if (steps < 1) {
        throw new IllegalArgumentException("report: expected at least 1 step, found " + steps);
      }
    }
  }

  public ReaderOptions {
    if (epoch < 0 || step < 0 || epochs < 1) {
      throw new IllegalArgumentException(
          "reader options: impossible epoch " + epoch + ", step " + step + " or epochs " + epochs);
    }
    store = Map.copyOf(store);
  }

  /** One epoch from its start, with 256 MiB of prefetch and no cache. */
  public static ReaderOptions of(PlanSettings plan) {
    return new ReaderOptions(plan, 0, 0, 1, null, Prefetch.DEFAULT, Map.of(), null, null);
  }

  /** Starts at another place. */
  public ReaderOptions withStart(long newEpoch, long newStep) {
    return new ReaderOptions(
        plan, newEpoch, newStep, epochs, datasetId, prefetch, store, cache, report);
  }

  /** Reads more epochs. */
  public ReaderOptions withEpochs(int newEpochs) {
    return new ReaderOptions(
        plan, epoch, step, newEpochs, datasetId, prefetch, store, cache, report);
  }

  /** Prefetches more or less bytes. */
  public ReaderOptions withPrefetchBytes(long bytes) {
    return withPrefetch(new Prefetch(bytes, prefetch.blocks, prefetch.threads));
  }

  /** Prefetches more or less. */
  public ReaderOptions withPrefetch(Prefetch other) {
    return new ReaderOptions(plan, epoch, step, epochs, datasetId, other, store, cache, report);
  }

  /** Sets the store up. */
  public ReaderOptions withStore(Map<String, String> options) {
    return new ReaderOptions(
        plan, epoch, step, epochs, datasetId, prefetch, options, cache, report);
  }

  /** Keeps the blocks of a remote dataset on a local disk. */
  public ReaderOptions withCache(Cache other) {
    return new ReaderOptions(plan, epoch, step, epochs, datasetId, prefetch, store, other, report);
  }

  /** Reports every so many steps. */
  public ReaderOptions withReport(int steps, Consumer<String> sink) {
    Report every = new Report(steps, sink);
    return new ReaderOptions(plan, epoch, step, epochs, datasetId, prefetch, store, cache, every);
  }

  /**
   * Resumes at a cursor.
   *
   * @throws IllegalArgumentException if it belongs to another plan
   */
  public ReaderOptions resumedAt(Cursor cursor) {
    cursor.checkFits(cursor.datasetId(), plan);
    return new ReaderOptions(
        plan,
        cursor.epoch(),
        cursor.step(),
        epochs,
        cursor.datasetId(),
        prefetch,
        store,
        cache,
        report);
  }
}
