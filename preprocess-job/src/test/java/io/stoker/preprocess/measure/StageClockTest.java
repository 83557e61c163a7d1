package io.stoker.preprocess.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Time that a test moves by hand. */
class StageClockTest {
  private long now = Long.MAX_VALUE - 10;
  private final StageClock clock = new StageClock(() -> now);

  private void pass(long nanos) {
    // Like System.nanoTime, it may wrap around.
    now += nanos;
  }

  private void time(Stage stage, long nanos) {
    try (StageClock.Span span = clock.time(stage)) {
      pass(nanos);
    }
  }

  @Test
  void stagesAddUpAndTimeBetweenThemIsNobodys() {
    time(Stage.DECODE, 5);
    pass(100);
    time(Stage.TEXT, 7);
    time(Stage.DECODE, 20);
    assertEquals(Map.of(Stage.DECODE, 25L, Stage.TEXT, 7L), clock.times().nanos());
  }

  @Test
  void theOuterStageStandsStillWhileAnInnerOneRuns() {
    try (StageClock.Span outer = clock.time(Stage.WRITE)) {
      pass(1);
      time(Stage.UPLOAD_WAIT, 10);
      pass(2);
      try (StageClock.Span inner = clock.time(Stage.WRITE)) {
        pass(3);
        time(Stage.UPLOAD_WAIT, 30);
        pass(4);
      }
      pass(5);
    }
    pass(1000);
    assertEquals(Map.of(Stage.WRITE, 15L, Stage.UPLOAD_WAIT, 40L), clock.times().nanos());
  }

  @Test
  void workThatThrowsCountsAndTheOuterStageGoesOn() {
    try (StageClock.Span outer = clock.time(Stage.TEXT)) {
      assertThrows(
          IOException.class,
          () -> {
            try (StageClock.Span inner = clock.time(Stage.DECODE)) {
              pass(8);
              throw new IOException("x");
            }
          });
      pass(2);
    }
    assertEquals(Map.of(Stage.DECODE, 8L, Stage.TEXT, 2L), clock.times().nanos());
  }

  @Test
  void sharesAndTheBottleneck() {
    StageTimes times =
        new StageTimes(Map.of(Stage.DECODE, 1_500_000_000L, Stage.TEXT, 500_000_000L))
            .plus(new StageTimes(Map.of(Stage.TEXT, 2_000_000_000L)));
    assertEquals(1.5, times.seconds(Stage.DECODE));
    assertEquals(2.5, times.seconds(Stage.TEXT));
    assertEquals(0.625, times.share(Stage.TEXT));
    assertEquals(0, times.share(Stage.PACK));
    assertEquals(Stage.TEXT, times.bottleneck());
    assertEquals(0, StageTimes.none().share(Stage.TEXT));
    assertEquals(Stage.FETCH_WAIT, StageTimes.none().bottleneck());
  }
}
