package io.stoker.preprocess.fetch;

import java.io.Serializable;
import java.time.Duration;

/**
 * How long a store may be in trouble before the job gives up.
 *
 * @param attempts most requests for one object that a store breaks off or answers with an error
 * @param timeout longest wait for an answer to begin
 * @param minRate bytes per second below which a body is given up, {@code timeout} being spared
 * @param deadline longest time for one object, all attempts and waits together; what bounds a store
 *     that is busy or cannot be reached, for these say nothing of the object
 */
public record RetrySettings(int attempts, Duration timeout, long minRate, Duration deadline)
    implements Serializable {
  /** 10 attempts, 30 s, 16 KiB/s, 5 min. */
  public static final RetrySettings DEFAULTS =
      new RetrySettings(10, Duration.ofSeconds(30), 16 << 10, Duration.ofMinutes(5));

  public RetrySettings {
    if (attempts < 1 || timeout.toMillis() < 1 || minRate < 1 || deadline.isNegative()) {
      throw new IllegalArgumentException(
          "expected positive limits, found %d attempts, timeout %s, %d bytes/s and deadline %s"
              .formatted(attempts, timeout, minRate, deadline));
    }
  }

  /** Time that an attempt may take to read so many bytes. */
  Duration timeFor(long bytes) {
    return timeout.plusMillis(bytes * 1000 / minRate);
  }
}
