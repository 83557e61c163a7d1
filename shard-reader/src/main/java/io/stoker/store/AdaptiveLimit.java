package io.stoker.store;

/**
 * Bounds the requests in flight to what the store takes: halved when it asks to slow down, raised
 * again by one for each full round of successes. Thread-safe.
 */
final class AdaptiveLimit {
  private final int max;
  private double limit;
  private int inFlight;

  AdaptiveLimit(int max) {
    this.max = max;
    this.limit = max;
  }

  synchronized void acquire() throws InterruptedException {
    while (inFlight >= (int) limit) {
      wait();
    }
    inFlight++;
  }

  synchronized void release() {
    inFlight--;
    notifyAll();
  }

  synchronized void succeeded() {
    limit = Math.min(max, limit + 1 / limit);
  }

  synchronized void slowDown() {
    limit = Math.max(1, limit / 2);
  }

  synchronized int limit() {
    return (int) limit;
  }
}
