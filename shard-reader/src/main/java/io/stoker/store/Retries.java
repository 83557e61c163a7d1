package io.stoker.store;

import io.stoker.store.StoreFault.Kind;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;
import java.util.function.LongUnaryOperator;
import java.util.function.ObjIntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Asks a store again after a {@link StoreFault} that may pass, and bounds the requests under way to
 * what the store takes. This is the only place that tries again: what it calls makes one request.
 * Two that try again would multiply, and the clients of stores do not see bodies that break off.
 * Thread-safe.
 *
 * <p>The pauses double from 100 ms to 5 s and have full jitter, so that callers that failed
 * together do not come back together. The longest is 5 s for everybody, because a rank that still
 * sleeps when the store is back holds up all the others. A busy store is relieved by {@link
 * AdaptiveLimit}, not by long pauses.
 */
public final class Retries {
  private static final long FIRST_PAUSE_MILLIS = 100;
  private static final long LONGEST_PAUSE_MILLIS = 5_000;
  private static final long MILLI = 1_000_000;

  private final AdaptiveLimit limit;
  private final ObjIntConsumer<StoreFault> observer;
  private final Waits waits;

  /** One request. */
  @FunctionalInterface
  public interface Attempt<T, X extends Exception> {
    /**
     * Makes the request.
     *
     * @throws StoreFault if the store is to blame; other exceptions are not looked at
     */
    T run() throws IOException, X;
  }

  /**
   * What tests replace.
   *
   * @param random bound to a random number in [0, bound)
   * @param pause how to wait
   * @param clock in nanoseconds
   */
  record Waits(LongUnaryOperator random, Pause pause, LongSupplier clock) {
    static final Waits REAL =
        new Waits(
            bound -> ThreadLocalRandom.current().nextLong(bound), Thread::sleep, System::nanoTime);

    @FunctionalInterface
    interface Pause {
      void millis(long millis) throws InterruptedException;
    }
  }

  /**
   * Counts the requests to one store.
   *
   * @param requests how many may be under way at most
   * @param observer is told each fault that is followed by another attempt, and how many requests
   *     may then be under way
   */
  public Retries(int requests, ObjIntConsumer<StoreFault> observer) {
    this(requests, observer, Waits.REAL);
  }

  Retries(int requests, ObjIntConsumer<StoreFault> observer, Waits waits) {
    this.limit = new AdaptiveLimit(requests);
    this.observer = observer;
    this.waits = waits;
  }

  /**
   * Makes a request until it succeeds or there is no hope.
   *
   * @throws StoreFault if the store stays in trouble
   * @throws InterruptedIOException if the thread is interrupted; it stays so
   */
  public <T, X extends Exception> T call(RetrySettings settings, Attempt<T, X> attempt)
      throws IOException, X {
    long start = waits.clock().getAsLong();
    Map<Kind, Integer> faults = new EnumMap<>(Kind.class);
    try {
      for (int attempts = 1; ; attempts++) {
        try {
          return once(attempt);
        } catch (StoreFault fault) {
          int ofKind = faults.merge(fault.kind(), 1, Integer::sum);
          long pause = pauseAfter(attempts);
          long passed = (waits.clock().getAsLong() - start) / MILLI;
          boolean late = passed + pause > settings.deadline().toMillis();
          if (late || ofKind >= fault.kind().most(settings)) {
            throw given(fault, settings.keys(), attempts, passed, late);
          }
          observer.accept(fault, limit.limit());
          waits.pause().millis(pause);
        }
      }
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  private <T, X extends Exception> T once(Attempt<T, X> attempt)
      throws IOException, InterruptedException, X {
    int ticket = limit.acquire();
    try {
      T result = attempt.run();
      limit.success();
      return result;
    } catch (StoreFault fault) {
      if (fault.kind() == Kind.BUSY) {
        limit.busy(ticket);
      }
      throw fault;
    } finally {
      limit.release();
    }
  }

  private long pauseAfter(int attempts) {
    long bound = FIRST_PAUSE_MILLIS << Math.min(attempts - 1, 10);
    return waits.random().applyAsLong(Math.min(LONGEST_PAUSE_MILLIS, bound) + 1);
  }

  private static StoreFault given(
      StoreFault fault, RetrySettings.Keys keys, int attempts, long millis, boolean late) {
    if (fault.kind() == Kind.FINAL || fault.kind() == Kind.MISSING) {
      return fault;
    }
    return new StoreFault(
        fault.kind(),
        "%s; gave up after %d attempts in %d s (%s)"
            .formatted(
                fault.getMessage(),
                attempts,
                millis / 1000,
                late ? keys.deadline() : keys.attempts()),
        fault.getCause());
  }

  int limit() {
    return limit.limit();
  }

  /** What a thread throws that was interrupted while it used a store; it stays interrupted. */
  static InterruptedIOException interrupted(@Nullable Throwable cause) {
    Thread.currentThread().interrupt();
    InterruptedIOException e = new InterruptedIOException("interrupted");
    e.initCause(cause);
    return e;
  }
}
