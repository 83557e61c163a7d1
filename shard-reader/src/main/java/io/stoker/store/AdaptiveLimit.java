package io.stoker.store;

/**
 * How many requests may be under way: half as many when the store says that it is busy, one more
 * after as many successes as there are requests under way, as TCP does it. Thread-safe.
 */
final class AdaptiveLimit {
  private final int most;
  private double limit;
  private int underWay;
  private int decreases;

  AdaptiveLimit(int most) {
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

  /** A request that was started has ended, with success or without. */
  synchronized void release() {
    underWay--;
    notifyAll();
  }

  synchronized void success() {
    limit = Math.min(most, limit + 1 / limit);
  }

  /**
   * The store was too busy for a request. A request that was started before the last decrease is
   * part of the same wave and changes nothing: otherwise one wave of refusals would end at 1.
   */
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
