package io.stoker.preprocess.fetch;

import java.io.Serializable;
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
  /** With {@link RetrySettings#DEFAULTS}. */
  public FetchSettings(
      int concurrency,
      int window,
      long windowBytes,
      long maxObjectBytes,
      String root,
      List<String> allowedRoots) {
    this(
        concurrency,
        window,
        windowBytes,
        maxObjectBytes,
        root,
        allowedRoots,
        RetrySettings.DEFAULTS);
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
