package io.stoker.bench;

import io.stoker.fixture.FakeS3;
import io.stoker.fixture.TestDataset;
import io.stoker.plan.PlanSettings;
import io.stoker.plan.RankSpec;
import io.stoker.reader.Batch;
import io.stoker.reader.RankReader;
import io.stoker.reader.ReaderOptions;
import io.stoker.reader.ReaderStats;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;

/**
 * What a trainer waits for. First: {@code next()} and {@code close()} of a batch of 12 MB that is
 * ready, from a file whose pages are not in memory (as root; else they may be). Then: the wait
 * ratio of two ranks with steps of 50 ms and batches of 16 MB against an S3 server that takes 20 ms
 * longer for each request, with prefetching and without.
 *
 * <p>Usage: {@code ReadBenchmark [MEGABYTES [DIRECTORY]]}: another size of the batches of the
 * second part, for machines that cannot move 16 MB per step and rank; another place than the
 * temporary directory for 1 GB of data.
 */
public final class ReadBenchmark {
  private static final int MB = 1 << 20;
  private static final int PAGE = 4096;
  private static final int LATENCY_MILLIS = 20;
  private static final int STEP_MILLIS = 50;
  private static final int BLOCKS = 40;

  private ReadBenchmark() {}

  public static void main(String[] args) throws Exception {
    Path parent = Path.of(args.length > 1 ? args[1] : System.getProperty("java.io.tmpdir"));
    Path directory = Files.createTempDirectory(parent, "stoker-bench-");
    int megabytes = args.length > 0 ? Integer.parseInt(args[0]) : 16;
    try {
      warmUp(Files.createDirectories(directory.resolve("small")));
      measureReady(Files.createDirectories(directory.resolve("local")));
      Path bucket = Files.createDirectories(directory.resolve("bucket"));
      TestDataset.writeLarge(
          Files.createDirectories(bucket.resolve("d")), "d", BLOCKS, megabytes * MB);
      for (ReaderOptions.Prefetch prefetch :
          List.of(
              ReaderOptions.Prefetch.OFF,
              ReaderOptions.Prefetch.DEFAULT,
              ReaderOptions.Prefetch.OFF,
              ReaderOptions.Prefetch.DEFAULT)) {
        measureRemote(bucket, megabytes, prefetch);
      }
    } finally {
      delete(directory);
    }
  }

  /** A run has thousands of steps: what is measured is compiled code. */
  private static void warmUp(Path root) throws IOException {
    TestDataset.writeLarge(root, "small", BLOCKS, PAGE);
    ReaderOptions options = ReaderOptions.of(new PlanSettings(1, 1, 1)).withEpochs(500);
    try (RankReader reader = RankReader.open(root, new RankSpec(0, 1), options)) {
      while (reader.hasNext()) {
        reader.next().close();
      }
    }
  }

  private static void measureReady(Path root) throws Exception {
    TestDataset.writeLarge(root, "local", BLOCKS, 12 * MB);
    boolean cold = dropPageCache();
    ReaderOptions options = ReaderOptions.of(new PlanSettings(1, 1, 1)).withEpochs(6);
    List<Long> times = new ArrayList<>();
    List<Long> coldTimes = new ArrayList<>();
    long faults = 0;
    long minor = 0;
    try (RankReader reader = RankReader.open(root, new RankSpec(0, 1), options)) {
      while (reader.hasNext()) {
        // The training step; the batch becomes ready behind it.
        Thread.sleep(times.isEmpty() ? 500 : 30);
        long[] before = faults();
        long start = System.nanoTime();
        Batch batch = reader.next();
        long taken = System.nanoTime();
        touch(batch);
        long[] after = faults();
        long closing = System.nanoTime();
        batch.close();
        long nanos = taken - start + System.nanoTime() - closing;
        times.add(nanos);
        if (coldTimes.size() < reader.steps()) {
          coldTimes.add(nanos);
        }
        faults += after[0] - before[0];
        minor += after[1] - before[1];
      }
      System.out.printf(
          Locale.ROOT,
          "ready batch of 12 MB, %s: next() + close() median %.1f us, p99 %.1f us of %d;"
              + " first epoch median %.1f us, p99 %.1f us%n",
          cold ? "file cold on disk" : "page cache not dropped",
          quantile(times, 0.5) / 1e3,
          quantile(times, 0.99) / 1e3,
          times.size(),
          quantile(coldTimes, 0.5) / 1e3,
          quantile(coldTimes, 0.99) / 1e3);
      System.out.printf(
          "  training thread, every page touched: %d major faults, %d minor faults;"
              + " %d waits; %s%n",
          faults, minor, reader.stats().waits(), reader.stats().summary());
    }
  }

  private static void touch(Batch batch) {
    int sum = 0;
    for (var tensor : batch.tensors()) {
      ByteBuffer data = tensor.data();
      for (int at = 0; at < data.limit(); at += PAGE) {
        sum += data.get(at);
      }
    }
    if (sum == Integer.MIN_VALUE) {
      System.out.println(); // So that the reads are not optimised away.
    }
  }

  private static void measureRemote(Path bucket, int megabytes, ReaderOptions.Prefetch prefetch)
      throws Exception {
    System.setProperty("aws.accessKeyId", "id");
    System.setProperty("aws.secretAccessKey", "secret");
    ExecutorService ranks = Executors.newFixedThreadPool(2);
    try (FakeS3 server = new FakeS3(bucket)) {
      server.next(Integer.MAX_VALUE, "", (request, answer) -> Thread.sleep(LATENCY_MILLIS));
      ReaderOptions options =
          ReaderOptions.of(new PlanSettings(1, 2, 1))
              .withEpochs(4)
              .withPrefetch(prefetch)
              .withStore(Map.of(ReaderOptions.S3_ENDPOINT, server.endpoint()));
      List<Future<ReaderStats>> running = new ArrayList<>();
      for (int rank = 0; rank < 2; rank++) {
        RankSpec spec = new RankSpec(rank, 2);
        running.add(ranks.submit(() -> train(spec, options)));
      }
      for (Future<ReaderStats> stats : running) {
        System.out.printf(
            "2 ranks, %d MB batches, 50 ms steps, 20 ms latency, prefetch %s: %s%n",
            megabytes, prefetch.blocks() == 0 ? "off" : "on ", stats.get().summary());
      }
    } finally {
      ranks.shutdownNow();
    }
  }

  private static ReaderStats train(RankSpec rank, ReaderOptions options) throws Exception {
    try (RankReader reader = RankReader.open(URI.create("s3://bucket/d"), rank, options)) {
      while (reader.hasNext()) {
        try (Batch batch = reader.next()) {
          touch(batch);
          Thread.sleep(STEP_MILLIS);
        }
      }
      return reader.stats();
    }
  }

  private static long quantile(List<Long> times, double quantile) {
    long[] sorted = times.stream().mapToLong(Long::longValue).sorted().toArray();
    return sorted[(int) Math.min(sorted.length - 1, Math.ceil(quantile * sorted.length) - 1)];
  }

  /** Major and minor faults of this thread; zeros where they are not told. */
  private static long[] faults() {
    try {
      String stat = Files.readString(Path.of("/proc/thread-self/stat"));
      String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
      return new long[] {Long.parseLong(fields[9]), Long.parseLong(fields[7])};
    } catch (IOException e) {
      return new long[2];
    }
  }

  private static boolean dropPageCache() throws InterruptedException {
    try {
      new ProcessBuilder("sync").start().waitFor();
      Files.writeString(Path.of("/proc/sys/vm/drop_caches"), "1\n");
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
