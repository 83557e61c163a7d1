package io.stoker.preprocess.spark;

import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Prints a line about the running job now and then, from a thread of its own. */
final class ProgressPrinter implements AutoCloseable {
  private static final double MIB = 1 << 20;

  private final ProgressListener listener;
  private final long rows;
  private final PrintStream out;
  private final long start = System.nanoTime();
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread created = new Thread(task, "stoker-progress");
            created.setDaemon(true);
            return created;
          });

  ProgressPrinter(ProgressListener listener, long rows, Duration interval, PrintStream out) {
    this.listener = listener;
    this.rows = rows;
    this.out = out;
    if (!interval.isZero()) {
      long millis = interval.toMillis();
      var unused = thread.scheduleAtFixedRate(this::print, millis, millis, TimeUnit.MILLISECONDS);
    }
  }

  private void print() {
    out.println(
        line(
            rows,
            listener.total(ProgressCounters.WRITTEN),
            listener.total(ProgressCounters.REJECTED),
            listener.total(ProgressCounters.BYTES_IN),
            listener.total(ProgressCounters.BYTES_OUT),
            (System.nanoTime() - start) / 1e9));
  }

  /** What is printed: rows done of all, rates since the start, and the time left at that rate. */
  static String line(
      long rows, long written, long rejected, long bytesIn, long bytesOut, double seconds) {
    // Retried tasks count twice.
    long done = Math.min(rows, written + rejected);
    String left =
        done == 0
            ? "unknown"
            : Duration.ofSeconds((long) Math.rint(seconds * (rows - done) / done))
                .toString()
                .substring(2)
                .toLowerCase(Locale.ROOT);
    return String.format(
        Locale.ROOT,
        "stoker: %,d of %,d samples (%.0f %%), %.1f samples/s, %.1f MiB/s in, %.1f MiB/s out, %,d rejected, %s left",
        done,
        rows,
        rows == 0 ? 100.0 : 100.0 * done / rows,
        done / seconds,
        bytesIn / seconds / MIB,
        bytesOut / seconds / MIB,
        rejected,
        left);
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
