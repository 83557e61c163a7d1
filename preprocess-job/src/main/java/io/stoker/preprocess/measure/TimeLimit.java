package io.stoker.preprocess.measure;

import io.stoker.preprocess.reject.RejectReason;
import io.stoker.preprocess.reject.SampleRejectedException;
import java.time.Duration;
import java.util.function.LongSupplier;

/** How long a task may work on one sample. */
public final class TimeLimit {
  private final Duration most;
  private final LongSupplier nanoClock;

  public TimeLimit(Duration most, LongSupplier nanoClock) {
    this.most = most;
    this.nanoClock = nanoClock;
  }

  /**
   * Starts to count.
   *
   * @param before nanoseconds spent on the sample already
   */
  public long start(long before) {
    return nanoClock.getAsLong() - before;
  }

  /** Nanoseconds since {@link #start}, those before included. */
  public long spent(long start) {
    return nanoClock.getAsLong() - start;
  }

  public void check(long start) throws SampleRejectedException {
    if (spent(start) > most.toNanos()) {
      throw new SampleRejectedException(
          RejectReason.RESOURCE_LIMIT,
          "expected at most %s of work (sample.max-time), found more"
              .formatted(most.toString().substring(2)));
    }
  }
}
