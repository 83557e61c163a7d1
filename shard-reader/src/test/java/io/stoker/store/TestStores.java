package io.stoker.store;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.LongConsumer;

/** Opens stores for tests of other packages. */
public final class TestStores {
  private TestStores() {}

  /** A dataset on a local path. */
  public static DatasetStore local(Path root) {
    return new LocalStore(root);
  }

  /**
   * A dataset on S3 whose pauses take no time and are always the longest.
   *
   * @param pauses is told the milliseconds of each
   */
  public static DatasetStore s3(
      URI location, Map<String, String> options, TransferCounters counters, LongConsumer pauses)
      throws IOException {
    Backoff backoff = new Backoff(bound -> bound - 1, pauses::accept);
    return S3Settings.of(location, options).open(counters, backoff);
  }
}
