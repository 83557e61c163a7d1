package io.stoker.reader;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What the trainer sees: the time inside {@code next()} and {@code close()} against the time
 * between. One thread calls {@code next()}; the rest is thread-safe.
 */
final class DeliveryMeter {
  private static final Path PROCESS = Path.of("/proc/self/stat");
  // Fields are counted from the state, which follows the name in parentheses.
  private static final int MAJOR_FAULTS = 9;

  private final LatencyHistogram next = new LatencyHistogram();
  private long batches;
  private long bytes;
  private long firstNanos;
  private long waitNanos;
  private long start;
  private long last;
  private long waits;

  /** One call of {@code next()} that gave a batch. */
  synchronized void delivered(long batchBytes, boolean waited, long from, long to) {
    next.add(to - from);
    if (batches++ == 0) {
      firstNanos = to - from;
      start = to;
    } else {
      waitNanos += to - from;
    }
    last = to;
    bytes += batchBytes;
    waits += waited ? 1 : 0;
  }

  /** One batch was closed. */
  void closed(long from) {
    long to = System.nanoTime();
    synchronized (this) {
      waitNanos += to - from;
      last = Math.max(last, to);
    }
  }

  synchronized long batches() {
    return batches;
  }

  /** Joins what the trainer saw with what the threads behind it counted. */
  ReaderStats stats(FetchCounters counters, BatchQueue queue) {
    long faults = majorFaults();
    ReaderStats.Fetched fetched =
        new ReaderStats.Fetched(
            counters.transfers.bytes.sum(),
            counters.transfers.requests.sum(),
            counters.transfers.retries.sum(),
            counters.cacheHits.sum(),
            counters.cacheMisses.sum(),
            counters.cacheFailures.sum(),
            counters.storeNanos.sum(),
            counters.diskNanos.sum(),
            counters.cpuNanos.sum());
    ReaderStats.Buffered buffered = queue.buffered();
    int depth = queue.depth();
    synchronized (this) {
      return new ReaderStats(
          batches,
          waitNanos,
          Math.max(0, last - start - waitNanos),
          firstNanos,
          next.quantile(0.5),
          next.quantile(0.99),
          bytes,
          waits,
          counters.gathered.sum(),
          depth,
          buffered,
          fetched,
          faults);
    }
  }

  private static long majorFaults() {
    try {
      String stat = Files.readString(PROCESS, StandardCharsets.ISO_8859_1);
      String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", MAJOR_FAULTS + 2);
      return Long.parseLong(fields[MAJOR_FAULTS]);
    } catch (IOException | RuntimeException e) {
      return -1; // Another operating system.
    }
  }
}
