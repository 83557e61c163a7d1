package io.stoker.reader;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.stoker.fixture.FakeS3;
import io.stoker.fixture.TestDataset;
import io.stoker.format.PixelLayout;
import io.stoker.plan.PlanSettings;
import io.stoker.plan.RankSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A rank that may open fewer files than its dataset has: it keeps none of them open. */
@Timeout(120)
class FileDescriptorTest {
  private static final int LIMIT = 256;
  private static final int SHARDS = 400;

  private final Path temporary;
  private final Path root;
  private final List<String> expected = new ArrayList<>();

  FileDescriptorTest(@TempDir Path temporary) throws IOException {
    this.temporary = temporary;
    this.root = Files.createDirectories(temporary.resolve("bucket/d"));
    TestDataset.write(
        root,
        "d",
        PixelLayout.UINT8,
        Collections.nCopies(SHARDS, new int[] {1}).toArray(int[][]::new));
    ReaderOptions options = ReaderOptions.of(new PlanSettings(3, 1, 1));
    expected.add(Integer.toString(LIMIT));
    try (RankReader reader = RankReader.open(root, new RankSpec(0, 1), options)) {
      while (reader.hasNext()) {
        expected.add(String.join(",", reader.next().sampleIds()));
      }
    }
    assertEquals(1 + SHARDS, expected.size());
  }

  @Test
  void localDataset() throws Exception {
    assertEquals(expected, read("http://127.0.0.1:1", root.toUri().toString()));
  }

  @Test
  void throughTheCache() throws Exception {
    try (FakeS3 server = new FakeS3(temporary.resolve("bucket"))) {
      assertEquals(expected, read(server.endpoint(), "s3://bucket/d"));
      assertEquals(SHARDS, server.requests("d/shards/").size());
      // Now every block is a file of the cache.
      assertEquals(expected, read(server.endpoint(), "s3://bucket/d"));
      assertEquals(SHARDS, server.requests("d/shards/").size());
    }
  }

  /** What the limit is, as the child sees it, then the samples of each batch. */
  private List<String> read(String endpoint, String location) throws Exception {
    Path output = temporary.resolve("output");
    Path errors = temporary.resolve("errors");
    ProcessBuilder builder =
        new ProcessBuilder(
            "sh",
            "-c",
            "ulimit -n " + LIMIT + " && ulimit -n && exec \"$@\"",
            "sh",
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx64m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Daws.accessKeyId=id",
            "-Daws.secretAccessKey=secret",
            "-cp",
            System.getProperty("java.class.path"),
            CacheRank.class.getName(),
            endpoint,
            location,
            temporary.resolve("cache").toString(),
            Long.toString(1 << 30));
    Process process =
        builder.redirectOutput(output.toFile()).redirectError(errors.toFile()).start();
    try {
      assertTrue(process.waitFor(100, TimeUnit.SECONDS), "it hangs");
      assertEquals(0, process.exitValue(), Files.readString(errors));
      return Files.readAllLines(output);
    } finally {
      process.destroyForcibly();
    }
  }
}
