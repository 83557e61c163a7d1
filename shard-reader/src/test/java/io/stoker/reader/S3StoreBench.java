package io.stoker.reader;

import io.stoker.fixture.FakeS3;
import io.stoker.fixture.TestDataset;
import io.stoker.format.PixelLayout;
import io.stoker.plan.PlanSettings;
import io.stoker.plan.RankSpec;
import io.stoker.store.StoreOptions;
import io.stoker.store.TestStores;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A dataset on a server of the loopback device that knows how to misbehave. */
abstract class S3StoreBench {
  static final URI LOCATION = URI.create("s3://bucket/a/data%20set/");
  static final String PREFIX = "a/data set/";
  static final String SHARD = "shards/00/test.arrow";
  static final String SHARDS = PREFIX + "shards/";

  final Path root;
  final FakeS3 server;
  final List<Long> pauses = new ArrayList<>();

  S3StoreBench(Path bucket) throws IOException {
    this.root = Files.createDirectories(bucket.resolve(PREFIX));
    TestDataset.write(root, "d", PixelLayout.UINT8, new int[] {3, 2}, new int[] {4});
    this.server = new FakeS3(bucket);
  }

  @BeforeEach
  void logIn() {
    System.setProperty("aws.accessKeyId", "id");
    System.setProperty("aws.secretAccessKey", "secret");
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
    System.clearProperty("aws.accessKeyId");
    System.clearProperty("aws.secretAccessKey");
    System.clearProperty("aws.sharedCredentialsFile");
  }

  Map<String, String> options() {
    return Map.of(StoreOptions.S3_ENDPOINT, server.endpoint());
  }

  List<String> samples() throws IOException {
    return samples(options());
  }

  List<String> samples(Map<String, String> store) throws IOException {
    return samples(store, new FetchCounters());
  }

  List<String> samples(Map<String, String> store, FetchCounters counters) throws IOException {
    LongConsumer pause =
        millis -> {
          synchronized (pauses) {
            pauses.add(millis);
          }
        };
    List<String> samples = new ArrayList<>();
    try (RankReader reader =
        RankReader.open(
            TestStores.s3(LOCATION, store, counters.transfers, pause),
            LOCATION.toString(),
            new RankSpec(0, 1),
            ReaderOptions.of(new PlanSettings(1, 1, 1)),
            counters)) {
      while (reader.hasNext()) {
        try (Batch batch = reader.next()) {
          samples.addAll(batch.sampleIds());
        }
      }
    }
    return samples;
  }
}
