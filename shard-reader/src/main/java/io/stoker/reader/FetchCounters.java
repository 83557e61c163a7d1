package io.stoker.reader;

import io.stoker.store.TransferCounters;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.atomic.LongAdder;

/** What the threads behind a reader count. Thread-safe. */
final class FetchCounters {
  final TransferCounters transfers = new TransferCounters();
  final LongAdder cacheHits = new LongAdder();
  final LongAdder cacheMisses = new LongAdder();
  final LongAdder cacheFailures = new LongAdder();
  final LongAdder gathered = new LongAdder();

  /** Waiting for the store, in nanoseconds summed over the threads. */
  final LongAdder storeNanos = new LongAdder();

  /** Waiting for pages of local files and writing them. */
  final LongAdder diskNanos = new LongAdder();

  /** Computing checksums, checking and gathering. */
  final LongAdder cpuNanos = new LongAdder();

  /** Starts to time a piece of work that may touch mapped pages. */
  Work startWork() {
    return new Work();
  }

  /**
   * A piece of work. Closing it counts its processor time, and apart from that the time in which it
   * waited for pages.
   */
  final class Work implements AutoCloseable {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final long wallStart = System.nanoTime();
    private final long cpuStart = cpuNow();

    private Work() {}

    @Override
    public void close() {
      long wall = System.nanoTime() - wallStart;
      long cpu = Math.min(wall, cpuNow() - cpuStart);
      cpuNanos.add(cpu);
      diskNanos.add(wall - cpu);
    }

    private static long cpuNow() {
      return THREADS.isCurrentThreadCpuTimeSupported() ? THREADS.getCurrentThreadCpuTime() : 0;
    }
  }
}
