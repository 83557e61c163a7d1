package io.stoker.store;

import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongUnaryOperator;

/**
 * Pauses between attempts: exponential, capped, with full jitter, so that ranks that failed
 * together do not come back together. Thread-safe if its components are.
 *
 * @param random bound to a random number in [0, bound)
 * @param pause how to wait for a number of milliseconds
 */
record Backoff(LongUnaryOperator random, Pause pause) {
  private static final long BASE_MILLIS = 100;
  private static final long MAX_MILLIS = 5_000;

  /** Really waits. */
  static Backoff real() {
    return new Backoff(bound -> ThreadLocalRandom.current().nextLong(bound), Thread::sleep);
  }

  /** Waits. */
  @FunctionalInterface
  interface Pause {
    void millis(long millis) throws InterruptedException;
  }

  /**
   * Waits before another attempt.
   *
   * @param failures attempts that have failed so far, at least 1
   */
  void pause(int failures) throws InterruptedException {
    long bound = Math.min(MAX_MILLIS, BASE_MILLIS << Math.min(failures - 1, 10));
    pause.millis(random.applyAsLong(bound + 1));
  }
}
