package io.stoker.preprocess.measure;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Measures one task's stages. A stage that runs inside another one counts for itself alone: the
 * outer one's time stands still meanwhile. Not thread-safe.
 */
public final class StageClock {
  private final long[] nanos = new long[Stage.values().length];
  private final Deque<Stage> underWay = new ArrayDeque<>();
  // Spans end in the reverse order of their start, so that one object serves them all.
  private final Span span = this::end;
  private final LongSupplier nanoTime;
  private long since;

  /** A clock on the system's time. */
  public StageClock() {
    this(System::nanoTime);
  }

  StageClock(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** A stage under way; closing it ends it. */
  @FunctionalInterface
  public interface Span extends AutoCloseable {
    @Override
    void close();
  }

  /** Starts a stage, to be ended by a try statement around its work. */
  public Span time(Stage stage) {
    charge();
    underWay.push(stage);
    return span;
  }

  private void end() {
    charge();
    underWay.pop();
  }

  /** Adds the time since the last call to the innermost stage under way. */
  private void charge() {
    long now = nanoTime.getAsLong();
    Stage stage = underWay.peek();
    if (stage != null) {
      nanos[stage.ordinal()] += now - since;
    }
    since = now;
  }

  /** What was measured so far. */
  public StageTimes times() {
    Map<Stage, Long> times = new EnumMap<>(Stage.class);
    for (Stage stage : Stage.values()) {
      if (nanos[stage.ordinal()] != 0) {
        times.put(stage, nanos[stage.ordinal()]);
      }
    }
    return new StageTimes(times);
  }
}
