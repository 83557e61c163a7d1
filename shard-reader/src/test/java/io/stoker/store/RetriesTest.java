package io.stoker.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.stoker.store.StoreFault.Kind;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is tried again, how often, and what lowers the number of requests. */
@Timeout(60)
class RetriesTest {
  private static final RetrySettings THREE = settings(3, Duration.ofMinutes(1));

  private final Deque<Exception> faults = new ArrayDeque<>();
  private final List<Long> pauses = new ArrayList<>();
  private final List<Integer> limits = new ArrayList<>();
  private final Retries retries =
      new Retries(8, (fault, limit) -> limits.add(limit), TestStores.waits(pauses::add));
  private int asked;

  /** What a caller throws when the object itself is to blame. */
  private static final class Refusal extends Exception {
    private static final long serialVersionUID = 1L;
  }

  private static RetrySettings settings(int attempts, Duration deadline) {
    RetrySettings.Keys keys = new RetrySettings.Keys("x.attempts", "t", "r", "x.deadline");
    return new RetrySettings(attempts, Duration.ofSeconds(1), 1, deadline, keys);
  }

  private byte[] get(RetrySettings settings) throws IOException, Refusal {
    return get(retries, settings);
  }

  private byte[] get(Retries through, RetrySettings settings) throws IOException, Refusal {
    return through.call(settings, this::answer);
  }

  private byte[] answer() throws IOException, Refusal {
    asked++;
    Exception fault = faults.poll();
    if (fault instanceof IOException e) {
      throw e;
    }
    if (fault instanceof Refusal e) {
      throw e;
    }
    return new byte[] {7};
  }

  private void fault(Kind kind, int times) {
    for (int i = 0; i < times; i++) {
      faults.add(new StoreFault(kind, "trouble at s3a://bucket/a/b", new IOException("cause")));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"BROKEN", "EXPIRED", "WRONG", "CHANGED"})
  void aFaultOfTheObjectIsTriedAgainAFewTimes(Kind kind) throws Exception {
    fault(kind, 2);
    assertArrayEquals(new byte[] {7}, get(THREE));
    fault(kind, 3);
    StoreFault e = assertThrows(StoreFault.class, () -> get(THREE));
    assertTrue(
        String.valueOf(e.getMessage())
            .matches("trouble at .*; gave up after 3 attempts in \\d s \\(x.attempts\\)"),
        e.getMessage());
    assertEquals(kind, e.kind());
    assertNotNull(e.getCause());
    assertEquals("cause", e.getCause().getMessage());
    assertEquals(6, asked);
  }

  @ParameterizedTest
  @EnumSource(names = {"WRONG", "CHANGED"})
  void anAnswerToAnotherQuestionIsSoonTakenForGranted(Kind kind) {
    fault(kind, 40);
    assertThrows(StoreFault.class, () -> get(settings(40, Duration.ofMinutes(1))));
    assertEquals(3, asked);
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
    IOException e = assertThrows(IOException.class, () -> get(settings(9, Duration.ZERO)));
    assertTrue(String.valueOf(e.getMessage()).contains("(x.deadline)"), e.getMessage());
    assertEquals(1, asked);
  }

  @Test
  void theDeadlineCountsPauses() {
    fault(Kind.BUSY, 1000);
    IOException e = assertThrows(IOException.class, () -> get(settings(9, Duration.ofSeconds(60))));
    assertTrue(
        String.valueOf(e.getMessage()).endsWith("after 17 attempts in 56 s (x.deadline)"),
        e.getMessage());
  }

  @Test
  void whatCannotPassIsNotTriedAgain() {
    fault(Kind.FINAL, 1);
    StoreFault known = (StoreFault) faults.peek();
    assertSame(known, assertThrows(StoreFault.class, () -> get(THREE)));
    fault(Kind.MISSING, 1);
    assertThrows(StoreFault.class, () -> get(THREE));
    faults.add(new Refusal());
    assertThrows(Refusal.class, () -> get(THREE));
    faults.add(new IOException("of the disk"));
    assertThrows(IOException.class, () -> get(THREE));
    assertEquals(4, asked);
    assertEquals(List.of(), pauses);
  }

  @Test
  void onlyABusyStoreGetsFewerRequests() throws Exception {
    fault(Kind.BROKEN, 2);
    get(THREE);
    assertEquals(8, retries.limit());
    fault(Kind.BUSY, 2);
    get(THREE);
    assertEquals(2, retries.limit());
    assertEquals(List.of(8, 8, 4, 2), limits);
  }

  @Test
  void pausesGrowAndAreCapped() throws Exception {
    fault(Kind.BUSY, 12);
    get(settings(1, Duration.ofMinutes(5)));
    assertEquals(List.of(100L, 200L, 400L, 800L, 1600L, 3200L, 5000L), pauses.subList(0, 7));
    assertEquals(5000L, pauses.get(11));
  }

  @Test
  void anInterruptedWaitEnds() {
    fault(Kind.BUSY, 9);
    Thread.currentThread().interrupt();
    assertThrows(
        InterruptedIOException.class,
        () -> get(new Retries(8, (f, limit) -> limits.add(limit)), THREE));
    assertTrue(Thread.interrupted());
  }

  @Test
  void theLimitIsHalvedOncePerWaveAndGrowsByOnePerRound() throws Exception {
    AdaptiveLimit limit = new AdaptiveLimit(8);
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

  @Test
  void connectionsThatWereNeverMadeAreToldFromThoseThatBroke() {
    assertEquals(Kind.UNREACHABLE, kind(new ConnectException("Connection refused")));
    assertEquals(Kind.UNREACHABLE, kind(new UnknownHostException("store.invalid")));
    assertEquals(Kind.UNREACHABLE, kind(new SocketTimeoutException("Connect timed out")));
    assertEquals(Kind.BROKEN, kind(new SocketTimeoutException("Read timed out")));
    assertEquals(Kind.BROKEN, kind(new SocketException("Connection reset")));
    assertEquals(Kind.FINAL, StoreFault.ofConnection(new IllegalStateException("no region")));
  }

  private static Kind kind(IOException e) {
    return StoreFault.ofConnection(new IllegalStateException("of the client", e));
  }
}
