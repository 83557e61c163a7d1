package io.stoker.store;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;

/** Picks the store for a location. */
public final class DatasetStores {
  private DatasetStores() {}

  /**
   * Opens the store of a dataset.
   *
   * @param location the dataset directory: {@code file:}, {@code s3:} or {@code s3a:}
   * @param options by the keys of {@link StoreOptions}
   * @param counters where requests to a remote store are counted
   * @throws IOException if no such location is known, or the store cannot be set up
   */
  public static DatasetStore open(
      URI location, Map<String, String> options, TransferCounters counters) throws IOException {
    String scheme = location.getScheme();
    if (scheme == null) {
      return new LocalStore(Path.of(location.getPath()));
    }
    return switch (scheme) {
      case "file" -> new LocalStore(Path.of(location));
      case "s3", "s3a" -> openS3(location, options, counters);
      default ->
          throw new IOException(
              "dataset location: expected file:, s3: or s3a:, found " + scheme + ":");
    };
  }

  // The classes named S3… are loaded here and nowhere else, so that local datasets need no SDK.
  private static DatasetStore openS3(
      URI location, Map<String, String> options, TransferCounters counters) throws IOException {
    try {
      return S3Store.open(S3Settings.of(location, options), counters, Retries.Waits.REAL);
    } catch (NoClassDefFoundError e) {
      throw new IOException(
          "reading "
              + location
              + " needs software.amazon.awssdk:s3 and :url-connection-client on the class path",
          e);
    }
  }
}
