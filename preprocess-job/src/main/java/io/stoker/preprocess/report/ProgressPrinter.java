package io.stoker.preprocess.report;

import io.stoker.common.Threads;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Prints a line about the running job at intervals, on its own thread. */
public final class ProgressPrinter implements AutoCloseable {
  private static final double MIB = 1 << 20;

  private final Supplier<Totals> totals;
  private final long rows;
  private final PrintStream out;
  private final long start = System.nanoTime();
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(task -> Threads.daemon("stoker-progress", task));

  /**
   * What the tasks did so far; a task that is tried again counts twice.
   *
   * @param bytesIn encoded media fetched
   * @param bytesOut bytes of the shards
   */
  public record Totals(long written, long rejected, long bytesIn, long bytesOut) {}

  /**
   * @param totals asked for every line
   * @param rows rows of all manifests
   * @param interval time between lines; zero for none at all
   */
  public ProgressPrinter(Supplier<Totals> totals, long rows, Duration interval, PrintStream out) {
    this.totals = totals;
    this.rows = rows;
    this.out = out;
    if (!interval.isZero()) {
      long millis = interval.toMillis();
      var unused = thread.scheduleAtFixedRate(this::print, millis, millis, TimeUnit.MILLISECONDS);
    }
  }

  private void print() {
    out.println(line(rows, totals.get(), (System.nanoTime() - start) / 1e9));
  }

  /** What is printed: rows done of all, rates since the start, and the time left at that rate. */
  static String line(long rows, Totals totals, double seconds) {
    long done = Math.min(rows, totals.written() + totals.rejected());
    String left =
        done == 0
            ? "unknown"
            : Duration.ofSeconds((long) Math.rint(seconds * (rows - done) / done))
                .toString()
                .substring(2)
                .toLowerCase(Locale.ROOT);
    return String.format(
        Locale.ROOT,
        "stoker: %,d of %,d samples (%.0f %%), %.1f samples/s, %.1f MiB/s in, %.1f MiB/s out, %,d"
            + " rejected, %s left",
        done,
        rows,
        rows == 0 ? 100.0 : 100.0 * done / rows,
        done / seconds,
        totals.bytesIn() / seconds / MIB,
        totals.bytesOut() / seconds / MIB,
        totals.rejected(),
        left);
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
