package io.stoker.reader;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/**
 * Tells the processor time of a piece of work that may touch mapped pages from the time in which it
 * waited for them.
 */
final class WorkClock implements AutoCloseable {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final FetchCounters counters;
  private final long wallStart = System.nanoTime();
  private final long cpuStart = cpuNanos();

  private WorkClock(FetchCounters counters) {
    this.counters = counters;
  }

  static WorkClock start(FetchCounters counters) {
    return new WorkClock(counters);
  }

  @Override
  public void close() {
    long wall = System.nanoTime() - wallStart;
    long cpu = Math.min(wall, cpuNanos() - cpuStart);
    counters.cpuNanos.add(cpu);
    counters.diskNanos.add(wall - cpu);
  }

  private static long cpuNanos() {
    return THREADS.isCurrentThreadCpuTimeSupported() ? THREADS.getCurrentThreadCpuTime() : 0;
  }
}
