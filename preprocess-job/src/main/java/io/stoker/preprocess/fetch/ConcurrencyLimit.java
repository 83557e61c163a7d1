package io.stoker.preprocess.fetch;

/**
 * How many requests may be under way: halved when the store says that it is busy, raised by one
 * after as many successes as there are requests under way (additive increase, multiplicative
 * decrease, as TCP does it). Thread-safe.
 */
final class ConcurrencyLimit {
  private final int most;
  private double limit;
  private int underWay;
  private int decreases;

  ConcurrencyLimit(int most) {
    this.most = most;
    this.limit = most;
  }

  /**
   * Waits until a request may start.
   *
   * @return a ticket for {@link #busy}
   */
  synchronized int acquire() throws InterruptedException {
    while (underWay >= (int) limit) {
      wait();
    }
    underWay++;
    return decreases;
  }

  /** A request that was started has ended, however it did. */
  synchronized void release() {
    underWay--;
    notifyAll();
  }

  synchronized void success() {
    limit = Math.min(most, limit + 1 / limit);
  }

  /** Requests that were started before the last decrease are told nothing new. */
  synchronized void busy(int ticket) {
    if (ticket == decreases) {
      decreases++;
      limit = Math.max(1, limit / 2);
    }
  }

  synchronized int limit() {
    return (int) limit;
  }
}
