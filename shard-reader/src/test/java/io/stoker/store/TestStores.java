package io.stoker.store;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.LongConsumer;

/** Opens stores for tests of other packages. */
public final class TestStores {
  private TestStores() {}

  /** A dataset on a local path. */
  public static DatasetStore local(Path root) {
    return new LocalStore(root);
  }

  /**
   * A dataset on S3 whose pauses are always the longest and only move the clock.
   *
   * @param pauses is told the milliseconds of each
   */
  public static DatasetStore s3(
      URI location, Map<String, String> options, TransferCounters counters, LongConsumer pauses)
      throws IOException {
    return S3Store.open(S3Settings.of(location, options), counters, waits(pauses));
  }

  static Retries.Waits waits(LongConsumer pauses) {
    // Each thread has its own clock, as the pauses of others would take no time from it.
    ThreadLocal<Long> paused = ThreadLocal.withInitial(() -> 0L);
    return new Retries.Waits(
        bound -> bound - 1,
        millis -> {
          paused.set(paused.get() + millis * 1_000_000);
          pauses.accept(millis);
        },
        () -> System.nanoTime() + paused.get());
  }
}
