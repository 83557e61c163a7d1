package io.stoker.store;

import java.io.Serializable;
import java.time.Duration;

/**
 * How long a store may be in trouble before its user gives up.
 *
 * @param attempts how many broken answers, and how many refusals of expired credentials, one object
 *     may have; a store that is busy or cannot be reached is not counted, because it says nothing
 *     about the object
 * @param timeout how long a store may be silent, and the time that an answer may take beyond what
 *     its bytes need at {@code minRate}
 * @param minRate bytes per second
 * @param deadline how long one object may take, with all attempts and pauses
 * @param keys what the user calls the four
 */
public record RetrySettings(
    int attempts, Duration timeout, long minRate, Duration deadline, Keys keys)
    implements Serializable {
  /** The names of the settings, for messages. */
  public record Keys(String attempts, String timeout, String minRate, String deadline)
      implements Serializable {}

  /** Refuses settings with which nothing could ever be read. */
  public RetrySettings {
    if (attempts < 1 || timeout.toMillis() < 1 || minRate < 1 || deadline.isNegative()) {
      throw new IllegalArgumentException(
          "expected positive limits, found %d attempts, timeout %s, %d bytes/s and deadline %s"
              .formatted(attempts, timeout, minRate, deadline));
    }
  }

  /** How long an answer may take until so many bytes of it have arrived. */
  Duration timeFor(long bytes) {
    return timeout.plusMillis(bytes * 1000 / minRate);
  }
}
