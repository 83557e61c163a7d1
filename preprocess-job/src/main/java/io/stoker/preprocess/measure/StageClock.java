package io.stoker.preprocess.measure;

import java.util.EnumMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Measures one task's stages. A stage that runs inside another one counts for itself alone: the
 * outer one's time stands still meanwhile. Not thread-safe.
 */
public final class StageClock {
  private final Map<Stage, Long> nanos = new EnumMap<>(Stage.class);
  private final LongSupplier nanoTime;
  private @Nullable Stage current;
  private long since;

  /** A clock on the system's time. */
  public StageClock() {
    this(System::nanoTime);
  }

  StageClock(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** Work that may throw two kinds of exceptions. */
  @FunctionalInterface
  public interface Work<T extends @Nullable Object, E1 extends Exception, E2 extends Exception> {
    T run() throws E1, E2;
  }

  /** Runs work and counts its time, also when it throws. */
  public <T extends @Nullable Object, E1 extends Exception, E2 extends Exception> T time(
      Stage stage, Work<T, E1, E2> work) throws E1, E2 {
    Stage outer = switchTo(stage);
    try {
      return work.run();
    } finally {
      switchTo(outer);
    }
  }

  @SuppressWarnings("CanIgnoreReturnValueSuggester")
  private @Nullable Stage switchTo(@Nullable Stage next) {
    long now = nanoTime.getAsLong();
    if (current != null) {
      nanos.merge(current, now - since, Long::sum);
    }
    Stage previous = current;
    current = next;
    since = now;
    return previous;
  }

  /** What was measured so far. */
  public StageTimes times() {
    return new StageTimes(nanos);
  }
}
