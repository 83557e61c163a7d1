package io.stoker.preprocess.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.stoker.preprocess.reject.RejectReason;
import io.stoker.preprocess.reject.SampleRejectedException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Time on a clock that the test moves. */
class TimeLimitTest {
  private long now = 1000;

  @Test
  void timeCountsOverAllStages() throws SampleRejectedException {
    TimeLimit limit = new TimeLimit(Duration.ofNanos(100), () -> now);
    long start = limit.start(0);
    now += 60;
    limit.check(start);
    long before = limit.spent(start);
    assertEquals(60, before);
    now += 1_000_000;
    long again = limit.start(before);
    now += 40;
    limit.check(again);
    now += 1;
    SampleRejectedException e =
        assertThrows(SampleRejectedException.class, () -> limit.check(again));
    assertEquals(RejectReason.RESOURCE_LIMIT, e.reason());
  }
}
