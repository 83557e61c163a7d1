package io.stoker.preprocess.fetch;

import io.stoker.preprocess.reject.SampleRejectedException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import software.amazon.awssdk.retries.api.BackoffStrategy;

/**
 * Asks a store again after a {@link StoreFault} that may pass, waiting ever longer in between, with
 * full jitter. The only place that tries again: the store below it makes one request per call.
 */
final class RetryingStore implements ObjectStore {
  private static final Duration FIRST_DELAY = Duration.ofMillis(100);
  private static final Duration LONGEST_DELAY = Duration.ofSeconds(20);

  private final ObjectStore store;
  private final RetrySettings settings;
  private final ConcurrencyLimit limit;
  private final BackoffStrategy backoff =
      BackoffStrategy.exponentialDelay(FIRST_DELAY, LONGEST_DELAY);
  private final FaultLog log = new FaultLog();

  RetryingStore(ObjectStore store, RetrySettings settings, ConcurrencyLimit limit) {
    this.store = store;
    this.settings = settings;
    this.limit = limit;
  }

  @Override
  public byte[] get(MediaSource.Stored source, long maxBytes)
      throws IOException, SampleRejectedException {
    long start = System.nanoTime();
    Map<StoreFault.Kind, Integer> faults = new EnumMap<>(StoreFault.Kind.class);
    try {
      for (int attempt = 1; ; attempt++) {
        try {
          return once(source, maxBytes);
        } catch (StoreFault fault) {
          int ofKind = faults.merge(fault.kind(), 1, Integer::sum);
          Duration delay = backoff.computeDelay(ofKind);
          Duration passed = Duration.ofNanos(System.nanoTime() - start);
          refuseEndlessTrouble(fault, attempt, faults, passed, delay);
          log.add(fault, limit.limit());
          Thread.sleep(delay.toMillis());
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      InterruptedIOException interrupted = new InterruptedIOException("interrupted");
      interrupted.initCause(e);
      throw interrupted;
    }
  }

  private byte[] once(MediaSource.Stored source, long maxBytes)
      throws IOException, SampleRejectedException, InterruptedException {
    int ticket = limit.acquire();
    try {
      byte[] bytes = store.get(source, maxBytes);
      limit.success();
      return bytes;
    } catch (StoreFault fault) {
      if (fault.kind() == StoreFault.Kind.BUSY) {
        limit.busy(ticket);
      }
      throw fault;
    } finally {
      limit.release();
    }
  }

  private void refuseEndlessTrouble(
      StoreFault fault,
      int attempt,
      Map<StoreFault.Kind, Integer> faults,
      Duration passed,
      Duration delay)
      throws StoreFault {
    if (fault.kind() == StoreFault.Kind.FINAL) {
      throw fault;
    }
    int counted =
        faults.entrySet().stream()
            .filter(entry -> entry.getKey().countsAttempts())
            .mapToInt(Map.Entry::getValue)
            .sum();
    boolean late = passed.plus(delay).compareTo(settings.deadline()) > 0;
    if (late || counted >= settings.attempts()) {
      throw new StoreFault(
          StoreFault.Kind.FINAL,
          "%s; gave up after %d attempts in %d s (%s)"
              .formatted(
                  fault.getMessage(),
                  attempt,
                  passed.toSeconds(),
                  late ? "fetch.deadline" : "fetch.attempts"),
          fault);
    }
  }
}
