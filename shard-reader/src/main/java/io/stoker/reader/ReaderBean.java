package io.stoker.reader;

import java.lang.management.ManagementFactory;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;

/** Registers a reader with JMX as long as it is open. */
final class ReaderBean implements ReaderMXBean, AutoCloseable {
  private static final AtomicLong INSTANCES = new AtomicLong();

  private final Supplier<ReaderStats> stats;
  private @Nullable ObjectName name;

  private ReaderBean(Supplier<ReaderStats> stats) {
    this.stats = stats;
  }

  static ReaderBean register(int rank, Supplier<ReaderStats> stats) {
    ReaderBean bean = new ReaderBean(stats);
    try {
      ObjectName name =
          new ObjectName(
              "io.stoker:type=RankReader,rank="
                  + rank
                  + ",instance="
                  + INSTANCES.incrementAndGet());
      ManagementFactory.getPlatformMBeanServer().registerMBean(bean, name);
      bean.name = name;
    } catch (JMException | SecurityException e) {
      bean.name = null; // Training does not depend on being watched.
    }
    return bean;
  }

  @Override
  public void close() {
    ObjectName registered = name;
    name = null;
    if (registered == null) {
      return;
    }
    try {
      MBeanServer server = ManagementFactory.getPlatformMBeanServer();
      if (server.isRegistered(registered)) {
        server.unregisterMBean(registered);
      }
    } catch (JMException e) {
      throw new IllegalStateException("cannot unregister " + registered, e);
    }
  }

  @Override
  public long getBatches() {
    return stats.get().batches();
  }

  @Override
  public double getWaitRatio() {
    return stats.get().waitRatio();
  }

  @Override
  public long getNextP50Nanos() {
    return stats.get().nextP50Nanos();
  }

  @Override
  public long getNextP99Nanos() {
    return stats.get().nextP99Nanos();
  }

  @Override
  public long getBufferedBytes() {
    return stats.get().buffered().bytes();
  }

  @Override
  public long getBytesFetched() {
    return stats.get().fetched().bytes();
  }

  @Override
  public long getRetries() {
    return stats.get().fetched().retries();
  }

  @Override
  public String getBottleneck() {
    return stats.get().bottleneck().name().toLowerCase(Locale.ROOT);
  }

  @Override
  public String getJson() {
    return stats.get().toJson();
  }
}
