package io.stoker.reader;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.stoker.fixture.FakeS3;
import io.stoker.fixture.TestDataset;
import io.stoker.format.PixelLayout;
import io.stoker.plan.PlanSettings;
import io.stoker.plan.RankSpec;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** F35: the ranks of a node, each a process, on one cache. */
@Timeout(300)
class CacheProcessTest {
  private static final int RANKS = 8;
  private static final int BLOCKS = 6;

  private final Path temporary;
  private final Path cache;
  private final FakeS3 server;
  private final List<Process> processes = new ArrayList<>();
  private final List<String> expected = new ArrayList<>();

  CacheProcessTest(@TempDir Path temporary) throws IOException {
    this.temporary = temporary;
    this.cache = temporary.resolve("cache");
    Path root = Files.createDirectories(temporary.resolve("bucket/d"));
    TestDataset.write(root, "d", PixelLayout.UINT8, new int[] {3, 2, 4}, new int[] {1, 5, 2});
    ReaderOptions options = ReaderOptions.of(new PlanSettings(3, 1, 1));
    try (RankReader reader = RankReader.open(root, new RankSpec(0, 1), options)) {
      while (reader.hasNext()) {
        expected.add(String.join(",", reader.next().sampleIds()));
      }
    }
    this.server = new FakeS3(temporary.resolve("bucket"));
  }

  @AfterEach
  void stop() throws IOException {
    processes.forEach(Process::destroyForcibly);
    server.close();
  }

  private int start() throws IOException {
    Path output = temporary.resolve("rank-" + processes.size());
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx64m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Daws.accessKeyId=rank" + processes.size(),
            "-Daws.secretAccessKey=secret",
            "-cp",
            System.getProperty("java.class.path"),
            CacheRank.class.getName(),
            server.endpoint(),
            "s3://bucket/d",
            cache.toString(),
            Long.toString(1 << 20));
    processes.add(
        builder
            .redirectOutput(output.toFile())
            .redirectError(temporary.resolve("errors-" + processes.size()).toFile())
            .start());
    return processes.size() - 1;
  }

  private void assertReadEverything(int process) throws Exception {
    int exit = processes.get(process).waitFor();
    String errors = Files.readString(temporary.resolve("errors-" + process));
    assertEquals(0, exit, errors);
    assertEquals(
        expected, Files.readAllLines(temporary.resolve("rank-" + process), StandardCharsets.UTF_8));
  }

  @Test
  void eachBlockIsFetchedOncePerNode() throws Exception {
    CountDownLatch everybodyIsThere = new CountDownLatch(RANKS);
    server.next(RANKS, "d/dataset.json", (request, answer) -> everybodyIsThere.countDown());
    // Nobody gets a block before all ranks want one.
    server.next(1000, "d/shards/", (request, answer) -> everybodyIsThere.await());
    for (int rank = 0; rank < RANKS; rank++) {
      start();
    }
    for (int rank = 0; rank < RANKS; rank++) {
      assertReadEverything(rank);
    }
    List<FakeS3.Request> requests = server.requests("d/shards/");
    assertEquals(BLOCKS, requests.stream().map(r -> r.name() + r.range()).distinct().count());
    assertEquals(BLOCKS, requests.size(), requests.toString());
  }

  @Test
  void waiterTakesOverFromAKilledRank() throws Exception {
    CountDownLatch asked = new CountDownLatch(BLOCKS);
    // The first rank never gets a block.
    server.next(
        1000,
        "d/shards/",
        (request, answer) -> {
          if (isOf(0, request)) {
            asked.countDown();
            new CountDownLatch(1).await();
          }
        });
    int first = start();
    asked.await();
    CountDownLatch secondIsThere = new CountDownLatch(1);
    server.next(
        1000,
        "d/blocks.arrow",
        (request, answer) -> {
          if (isOf(1, request)) {
            secondIsThere.countDown();
          }
        });
    int second = start();
    secondIsThere.await();
    assertEquals(0, requestsOf(second), "it waits");
    processes.get(first).destroyForcibly().waitFor();
    assertReadEverything(second);
    assertEquals(BLOCKS, requestsOf(second));
    try (var files = Files.list(cache)) {
      assertEquals(BLOCKS, files.filter(file -> file.toString().endsWith(".block")).count());
    }
  }

  private static boolean isOf(int process, FakeS3.Request request) {
    return request.header("authorization").contains("Credential=rank" + process + "/");
  }

  private long requestsOf(int process) {
    return server.requests("d/shards/").stream().filter(r -> isOf(process, r)).count();
  }
}
