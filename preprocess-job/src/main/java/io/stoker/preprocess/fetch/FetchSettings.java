package io.stoker.preprocess.fetch;

import io.stoker.store.RetrySettings;
import java.io.Serializable;
import java.time.Duration;
import java.util.List;

/**
 * What may be fetched, and how.
 *
 * @param concurrency most requests in flight per executor core
 * @param window most samples of a task whose media are in flight or wait to be decoded
 * @param windowBytes fetched bytes of a task beyond which it starts no further requests
 * @param maxObjectBytes longest object that is accepted
 * @param root where relative references start; empty for the directory of the manifest
 * @param allowedRoots URI prefixes that references may point into, besides where they start
 * @param retry when to give up
 */
public record FetchSettings(
    int concurrency,
    int window,
    long windowBytes,
    long maxObjectBytes,
    String root,
    List<String> allowedRoots,
    RetrySettings retry)
    implements Serializable {
  /** 10 attempts, 30 s, 16 KiB/s, 5 min. */
  public static final RetrySettings DEFAULT_RETRY =
      retry(10, Duration.ofSeconds(30), 16 << 10, Duration.ofMinutes(5));

  /** What the job grants a store in trouble, under the names of its own configuration. */
  public static RetrySettings retry(
      int attempts, Duration timeout, long minRate, Duration deadline) {
    return new RetrySettings(
        attempts,
        timeout,
        minRate,
        deadline,
        new RetrySettings.Keys(
            "fetch.attempts", "fetch.timeout", "fetch.min-rate", "fetch.deadline"));
  }

  /** With {@link #DEFAULT_RETRY}. */
  public FetchSettings(
      int concurrency,
      int window,
      long windowBytes,
      long maxObjectBytes,
      String root,
      List<String> allowedRoots) {
    this(concurrency, window, windowBytes, maxObjectBytes, root, allowedRoots, DEFAULT_RETRY);
  }

  public FetchSettings {
    allowedRoots = List.copyOf(allowedRoots);
    if (concurrency < 1 || window < 1 || windowBytes < 1 || maxObjectBytes < 1) {
      throw new IllegalArgumentException(
          "expected positive limits, found concurrency %d, window %d and %d bytes, max-bytes %d"
              .formatted(concurrency, window, windowBytes, maxObjectBytes));
    }
  }
}
