package io.stoker.preprocess.fetch;

import io.stoker.store.StoreFault;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes at most one line per kind of fault and interval, because a store in trouble fails by the
 * thousand. Thread-safe.
 */
final class FaultLog {
  private static final Duration INTERVAL = Duration.ofSeconds(10);
  private static final Logger LOG = LoggerFactory.getLogger(FaultLog.class);

  private final Map<StoreFault.Kind, Seen> seen = new EnumMap<>(StoreFault.Kind.class);

  private static final class Seen {
    private long loggedAt = System.nanoTime() - INTERVAL.toNanos();
    private int silent;
  }

  synchronized void add(StoreFault fault, int concurrency) {
    Seen kind = seen.computeIfAbsent(fault.kind(), key -> new Seen());
    long now = System.nanoTime();
    if (now - kind.loggedAt < INTERVAL.toNanos()) {
      kind.silent++;
      return;
    }
    LOG.warn(
        "the store is in trouble ({}), trying again with up to {} requests at a time; {} ({} more of this kind since the last such line)",
        fault.kind(),
        concurrency,
        fault.getMessage(),
        kind.silent);
    kind.loggedAt = now;
    kind.silent = 0;
  }
}
