package io.stoker.bench;

import io.stoker.fixture.TestDataset;
import io.stoker.plan.PlanSettings;
import io.stoker.plan.RankSpec;
import io.stoker.reader.Batch;
import io.stoker.reader.RankReader;
import io.stoker.reader.ReaderOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * What a trainer waits for. First: {@code next()} and {@code close()} of a batch of 12 MB that is
 * ready, from a file whose pages are not in memory (as root; else they may be). Then: {@link
 * WaitBenchmark} with batches of 16 MB.
 *
 * <p>Usage: {@code ReadBenchmark [MEGABYTES [DIRECTORY]]}: the size of the batches of the second
 * part, if the machine cannot move 16 MB per step and rank; and where to put 1 GB of data, if not
 * in the temporary directory. {@code -Dstoker.bench.short=true} does just enough to see that it
 * works.
 */
public final class ReadBenchmark {
  private static final int MB = 1 << 20;
  private static final int PAGE = 4096;
  private static final boolean SHORT = Boolean.getBoolean("stoker.bench.short");
  private static final int BLOCKS = SHORT ? 4 : 40;
  private static final int EPOCHS = SHORT ? 2 : 25;

  private ReadBenchmark() {}

  public static void main(String[] args) throws Exception {
    Path parent = Path.of(args.length > 1 ? args[1] : System.getProperty("java.io.tmpdir"));
    Path directory = Files.createTempDirectory(parent, "stoker-bench-");
    int megabytes = args.length > 0 ? Integer.parseInt(args[0]) : SHORT ? 1 : 16;
    try {
      warmUp(Files.createDirectories(directory.resolve("small")));
      measureReady(Files.createDirectories(directory.resolve("local")));
      WaitBenchmark.measure(megabytes, directory);
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
    ReaderOptions options = ReaderOptions.of(new PlanSettings(1, 1, 1)).withEpochs(EPOCHS);
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
        TrainingRank.touch(batch);
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
