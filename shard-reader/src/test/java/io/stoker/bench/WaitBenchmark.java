package io.stoker.bench;

import io.stoker.fixture.TestDataset;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * The wait ratio of two ranks with steps of 50 ms against an S3 server that takes 20 ms longer for
 * each request, with prefetching and without, each twice and in turn. Server and ranks are
 * processes of their own. Before and after: what the server gives to a plain client at the same
 * time, against what the ranks need.
 *
 * <p>Usage: {@code WaitBenchmark MEGABYTES DIRECTORY}: the size of a batch; where to put 40 of
 * them.
 */
final class WaitBenchmark {
  private static final int MB = 1 << 20;
  private static final int LATENCY_MILLIS = 20;
  private static final int STEP_MILLIS = 50;
  private static final int RANKS = 2;
  private static final boolean SHORT = Boolean.getBoolean("stoker.bench.short");
  private static final int BLOCKS = SHORT ? 4 : 40;
  private static final int THREADS_OF_RANK = 8;
  private static final int PLAIN_SECONDS = SHORT ? 1 : 4;
  // Of BLOCKS / RANKS steps each. Without prefetching every step is like the others.
  private static final int EPOCHS = SHORT ? 12 : 20;
  private static final int EPOCHS_WITHOUT = SHORT ? 12 : 5;

  private final Path bucket;
  private final int megabytes;
  private final String url;

  private WaitBenchmark(Path bucket, int megabytes, String url) {
    this.bucket = bucket;
    this.megabytes = megabytes;
    this.url = url;
  }

  public static void main(String[] args) throws Exception {
    measure(Integer.parseInt(args[0]), Path.of(args[1]));
  }

  static void measure(int megabytes, Path directory) throws Exception {
    Path bucket = Files.createDirectories(directory.resolve("bucket"));
    Path root = Files.createDirectories(bucket.resolve("d"));
    TestDataset.writeLarge(root, "d", BLOCKS, megabytes * MB);
    Process server = start(StoreProcess.class, bucket, LATENCY_MILLIS);
    try (BufferedReader output = output(server)) {
      WaitBenchmark benchmark = new WaitBenchmark(bucket, megabytes, output.readLine());
      benchmark.plain();
      for (boolean prefetch : new boolean[] {true, false, true, false}) {
        benchmark.train(prefetch);
      }
      benchmark.plain();
    } finally {
      server.destroy();
      server.waitFor();
    }
  }

  private void plain() throws Exception {
    Path shard;
    try (Stream<Path> files = Files.walk(bucket)) {
      shard = files.filter(file -> file.toString().endsWith("test.arrow")).sorted().toList().get(0);
    }
    Process client =
        start(
            PlainClient.class,
            url + "/bucket/" + bucket.relativize(shard),
            Files.size(shard),
            megabytes * MB,
            RANKS * THREADS_OF_RANK,
            PLAIN_SECONDS);
    try (BufferedReader output = output(client)) {
      double needed = RANKS * (double) megabytes * MB * 1000 / STEP_MILLIS;
      double rate = Double.parseDouble(output.readLine());
      System.out.printf(
          Locale.ROOT,
          "a plain client gets %.0f MB/s with CRC-32C; %d ranks need %.0f MB/s%n",
          rate / 1e6,
          RANKS,
          needed / 1e6);
    } finally {
      client.destroy();
    }
  }

  private void train(boolean prefetch) throws Exception {
    List<Process> ranks = new ArrayList<>();
    try {
      for (int rank = 0; rank < RANKS; rank++) {
        int epochs = prefetch ? EPOCHS : EPOCHS_WITHOUT;
        ranks.add(start(TrainingRank.class, url, rank, RANKS, prefetch, STEP_MILLIS, epochs));
      }
      for (Process rank : ranks) {
        try (BufferedReader output = output(rank)) {
          System.out.printf(
              "%d MB, %d ms steps, %d ms latency, prefetch %s, %s%n",
              megabytes, STEP_MILLIS, LATENCY_MILLIS, prefetch ? "on" : "off", output.readLine());
        }
      }
    } finally {
      ranks.forEach(Process::destroy);
    }
  }

  private static Process start(Class<?> program, Object... args) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx1g",
                "-Daws.accessKeyId=id",
                "-Daws.secretAccessKey=secret",
                "-Dslf4j.internal.verbosity=ERROR",
                "-cp",
                System.getProperty("java.class.path"),
                program.getName()));
    command.addAll(Arrays.stream(args).map(String::valueOf).toList());
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }

  private static BufferedReader output(Process process) {
    return new BufferedReader(
        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }
}
