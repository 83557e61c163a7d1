package io.stoker.preprocess.it;

import io.stoker.preprocess.fetch.FetchSettings;
import io.stoker.preprocess.fetch.Fetcher;
import io.stoker.preprocess.fetch.MediaResolver;
import io.stoker.preprocess.fetch.MediaSource;
import io.stoker.preprocess.it.CountingRelay.Exchange;
import io.stoker.store.RetrySettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.hadoop.conf.Configuration;

/** The real fetcher, S3A and S3 server, and between the two a relay that does as it is told. */
final class FetchBench implements AutoCloseable {
  static final int OBJECTS = 64;
  static final int BYTES = 20_000;
  private static final long SEED = 20_261_129;

  private final String bucket;
  private final Map<String, byte[]> objects = new TreeMap<>();
  private final FaultScript script = new FaultScript();
  private final CountingRelay relay;
  private final Configuration configuration;

  FetchBench(Lab lab, String bucket) throws IOException {
    this.bucket = bucket;
    Random random = new Random(SEED);
    Path tree = lab.path("tree-" + bucket);
    for (int i = 0; i < OBJECTS; i++) {
      byte[] bytes = new byte[BYTES];
      random.nextBytes(bytes);
      String key = "d%d/o%02d".formatted(i % 4, i);
      Files.createDirectories(tree.resolve(key).getParent());
      Files.write(tree.resolve(key), bytes);
      objects.put(key, bytes);
    }
    lab.server().upload(tree, bucket, "p");
    this.relay = CountingRelay.start(lab.server().port(), script);
    this.configuration = configuration(relay.port());
  }

  /** What a site's configuration would say of the store at a port. */
  static Configuration configuration(int port) {
    Configuration configuration = new Configuration();
    configuration.set("fs.s3a.endpoint", S3Server.endpoint(port));
    configuration.set("fs.s3a.endpoint.region", "us-east-1");
    configuration.set("fs.s3a.path.style.access", "true");
    configuration.set("fs.s3a.access.key", S3Server.ID);
    configuration.set("fs.s3a.secret.key", S3Server.SECRET);
    return configuration;
  }

  Configuration configuration() {
    return configuration;
  }

  FaultScript script() {
    return script;
  }

  int port() {
    return relay.port();
  }

  byte[] bytes(String key) {
    return Objects.requireNonNull(objects.get(key));
  }

  List<String> keys() {
    return List.copyOf(objects.keySet());
  }

  /** Requests for an object, or for all. */
  List<Exchange> gets(String key) {
    return relay.exchanges().stream()
        .filter(exchange -> exchange.method().equals("GET") && exchange.path().contains(key))
        .toList();
  }

  /** What came of an object: its bytes or what went wrong. */
  record Got(byte[] bytes, Throwable failure) {}

  /** What came of several objects, by key. */
  record Results(Map<String, Got> byKey) {
    Got of(String key) {
      return Objects.requireNonNull(byKey.get(key), key);
    }
  }

  /** Fetches objects at the same time. */
  Results fetch(RetrySettings retry, List<String> keys) throws Exception {
    return fetch(configuration, bucket, retry, keys);
  }

  static Results fetch(
      Configuration configuration, String bucket, RetrySettings retry, List<String> keys)
      throws Exception {
    String root = "s3a://" + bucket + "/p";
    FetchSettings settings = new FetchSettings(32, 64, 1 << 20, 1 << 20, root, List.of(), retry);
    MediaResolver resolver = new MediaResolver(settings);
    Map<String, Future<byte[]>> futures = new TreeMap<>();
    Map<String, Got> got = new TreeMap<>();
    try (Fetcher fetcher = new Fetcher(settings, 1, configuration)) {
      for (String key : keys) {
        MediaSource source = resolver.resolve(key, root + "/m.jsonl");
        futures.put(key, fetcher.fetch(source));
      }
      for (Map.Entry<String, Future<byte[]>> future : futures.entrySet()) {
        try {
          got.put(future.getKey(), new Got(future.getValue().get(), new Throwable("none")));
        } catch (ExecutionException e) {
          got.put(future.getKey(), new Got(new byte[0], Objects.requireNonNull(e.getCause())));
        }
      }
    }
    return new Results(got);
  }

  @Override
  public void close() throws IOException {
    relay.close();
  }
}
