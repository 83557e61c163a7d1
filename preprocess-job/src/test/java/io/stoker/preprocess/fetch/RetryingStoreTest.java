package io.stoker.preprocess.fetch;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.stoker.preprocess.fetch.StoreFault.Kind;
import io.stoker.preprocess.reject.RejectReason;
import io.stoker.preprocess.reject.SampleRejectedException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is tried again, how often, and what lowers the number of requests. */
@Timeout(60)
class RetryingStoreTest {
  private static final MediaSource.Stored SOURCE =
      new MediaSource.Stored("s3a", "bucket", "a/b", List.of(""));
  private static final RetrySettings THREE =
      new RetrySettings(3, Duration.ofSeconds(1), 1, Duration.ofMinutes(1));

  private final Deque<Exception> faults = new ArrayDeque<>();
  private final ConcurrencyLimit limit = new ConcurrencyLimit(8);
  private int asked;

  private byte[] get(RetrySettings settings) throws Exception {
    ObjectStore scripted =
        (source, maxBytes) -> {
          asked++;
          Exception fault = faults.poll();
          if (fault instanceof IOException e) {
            throw e;
          }
          if (fault instanceof SampleRejectedException e) {
            throw e;
          }
          return new byte[] {7};
        };
    return new RetryingStore(scripted, settings, limit).get(SOURCE, 1);
  }

  private void fault(Kind kind, int times) {
    for (int i = 0; i < times; i++) {
      faults.add(new StoreFault(kind, "trouble at s3a://bucket/a/b", null));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"BROKEN", "EXPIRED"})
  void aFaultOfTheObjectIsTriedAgainAFewTimes(Kind kind) throws Exception {
    fault(kind, 2);
    assertArrayEquals(new byte[] {7}, get(THREE));
    fault(kind, 3);
    IOException e = assertThrows(IOException.class, () -> get(THREE));
    assertTrue(
        String.valueOf(e.getMessage())
            .matches("trouble at .*; gave up after 3 attempts in \\d s \\(fetch.attempts\\)"),
        e.getMessage());
    assertEquals(6, asked);
  }

  @ParameterizedTest
  @EnumSource(names = {"BUSY", "UNREACHABLE"})
  void aFaultOfTheWholeStoreCountsNoAttempts(Kind kind) throws Exception {
    fault(kind, 5);
    assertArrayEquals(new byte[] {7}, get(THREE));
    assertEquals(6, asked);
  }

  @ParameterizedTest
  @EnumSource(names = {"BUSY", "UNREACHABLE", "BROKEN"})
  void nothingIsTriedAgainAfterTheDeadline(Kind kind) {
    fault(kind, 1);
    RetrySettings settings = new RetrySettings(9, Duration.ofSeconds(1), 1, Duration.ZERO);
    IOException e = assertThrows(IOException.class, () -> get(settings));
    assertTrue(String.valueOf(e.getMessage()).contains("(fetch.deadline)"), e.getMessage());
    assertEquals(1, asked);
  }

  @Test
  void whatCannotPassIsNotTriedAgain() {
    fault(Kind.FINAL, 1);
    assertThrows(StoreFault.class, () -> get(THREE));
    faults.add(new SampleRejectedException(RejectReason.IMAGE_MISSING, "none"));
    assertThrows(SampleRejectedException.class, () -> get(THREE));
    faults.add(new IOException("of the disk"));
    assertThrows(IOException.class, () -> get(THREE));
    assertEquals(3, asked);
  }

  @Test
  void onlyABusyStoreGetsFewerRequests() throws Exception {
    fault(Kind.BROKEN, 2);
    get(THREE);
    assertEquals(8, limit.limit());
    fault(Kind.BUSY, 2);
    get(THREE);
    assertEquals(2, limit.limit());
  }

  @Test
  void anInterruptedWaitEnds() {
    fault(Kind.BUSY, 9);
    Thread.currentThread().interrupt();
    assertThrows(InterruptedIOException.class, () -> get(THREE));
    assertTrue(Thread.interrupted());
  }

  @Test
  void theLimitIsHalvedOncePerWaveAndGrowsByOnePerRound() throws Exception {
    int[] tickets = new int[8];
    for (int i = 0; i < 8; i++) {
      tickets[i] = limit.acquire();
    }
    for (int ticket : tickets) {
      limit.busy(ticket);
      limit.release();
    }
    assertEquals(4, limit.limit());
    for (int i = 0; i < 5; i++) {
      limit.success();
    }
    assertEquals(5, limit.limit());
    for (int i = 0; i < 10; i++) {
      limit.busy(limit.acquire());
      limit.release();
    }
    assertEquals(1, limit.limit(), "never none");
    for (int i = 0; i < 100; i++) {
      limit.success();
    }
    assertEquals(8, limit.limit(), "never more than configured");
  }
}
