package io.stoker.preprocess.it;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.stoker.preprocess.fetch.FetchSettings;
import io.stoker.preprocess.it.CountingRelay.Exchange;
import io.stoker.preprocess.it.FetchBench.Got;
import io.stoker.preprocess.it.FetchBench.Results;
import io.stoker.preprocess.reject.RejectReason;
import io.stoker.preprocess.reject.SampleRejectedException;
import io.stoker.store.RetrySettings;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A store gets into every kind of trouble. The fetcher has the right bytes in the end, or fails
 * with a message that names the trouble.
 */
@ExtendWith(Lab.Resolver.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
class FetchFaultsIT {
  private static final String BUCKET = "faults";
  private static final RetrySettings DEFAULTS = FetchSettings.DEFAULT_RETRY;

  /** Gives up on slow answers sooner: nothing here answers slowly by itself. */
  private static final RetrySettings IMPATIENT =
      FetchSettings.retry(3, Duration.ofSeconds(2), 1 << 20, Duration.ofMinutes(1));

  private final Lab lab;
  private @org.jspecify.annotations.Nullable FetchBench opened;
  private int before;

  FetchFaultsIT(Lab lab) {
    this.lab = lab;
  }

  @BeforeAll
  void open() throws IOException {
    opened = new FetchBench(lab, BUCKET);
  }

  private FetchBench bench() {
    return java.util.Objects.requireNonNull(opened);
  }

  @AfterAll
  void close() throws IOException {
    bench().close();
  }

  @BeforeEach
  void reset() {
    bench().script().clear();
    before = bench().gets("").size();
  }

  /** The requests of this test. */
  private List<Exchange> gets() {
    List<Exchange> all = bench().gets("");
    return all.subList(before, all.size());
  }

  private void assertFetched(RetrySettings retry, List<String> keys) throws Exception {
    Results got = bench().fetch(retry, keys);
    for (String key : keys) {
      Got one = got.of(key);
      assertArrayEquals(bench().bytes(key), one.bytes(), () -> key + ": " + one.failure());
    }
  }

  private String assertFails(RetrySettings retry, String key) throws Exception {
    Throwable failure = bench().fetch(retry, List.of(key)).of(key).failure();
    assertInstanceOf(IOException.class, failure, failure::toString);
    String message = String.valueOf(failure.getMessage());
    assertTrue(message.contains("s3a://" + BUCKET + "/p/" + key), message);
    return message;
  }

  @Test
  void aBurstOfSlowDownCostsARequestEachAndNoRecord() throws Exception {
    bench().script().first(200, "GET /faults/p/", Fault.answer(503, "SlowDown"));
    assertFetched(DEFAULTS, bench().keys());
    assertEquals(FetchBench.OBJECTS + 200, gets().size());
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 4, 5, 6, 7, 8, 9, 10})
  void everyNthRequestFails(int n) throws Exception {
    int[] statuses = {500, 502, 504};
    for (int i = 0; i < 3; i++) {
      int turn = i;
      bench()
          .script()
          .on(
              "GET /faults/p/",
              seen -> seen % n == 0 && seen / n % 3 == turn,
              Fault.answer(statuses[i], i == 0 ? "InternalError" : "ServerError"));
    }
    assertFetched(DEFAULTS, bench().keys());
    long failed = gets().stream().filter(get -> get.status() >= 500).count();
    assertTrue(failed > 0);
    assertEquals(FetchBench.OBJECTS + failed, gets().size());
  }

  @Test
  void aPermanentErrorFailsAfterTheAttemptsAndNoMore() throws Exception {
    bench().script().always("GET /faults/p/d1/o01", Fault.answer(500, "InternalError"));
    String message = assertFails(IMPATIENT, "d1/o01");
    assertTrue(message.contains("gave up after 3 attempts"), message);
    assertTrue(message.contains("Status Code: 500"), message);
    assertEquals(3, gets().size());
  }

  @ParameterizedTest
  @CsvSource({
    "true,0",
    "true,1",
    "true,10000",
    "true,19999",
    "false,0",
    "false,1",
    "false,10000",
    "false,19999"
  })
  void aBodyThatEndsEarlyIsFetchedAgain(boolean reset, long after) throws Exception {
    bench().script().first(1, "GET", reset ? Fault.resetAfter(after) : Fault.closeAfter(after));
    assertFetched(DEFAULTS, List.of("d0/o00"));
    assertEquals(2, gets().size());
  }

  @Test
  void aConnectionThatIsResetIsOpenedAgain() throws Exception {
    bench().script().first(2, "GET", new Fault.Reset()).on("GET", n -> n == 1, new Fault.Lost());
    assertFetched(DEFAULTS, List.of("d0/o00"));
    assertEquals(4, gets().size());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 9999, FetchBench.BYTES - 1})
  void aFlippedBitIsSeen(int at) throws Exception {
    bench().script().first(1, "GET", new Fault.Body(BodyFault.flip(at), false));
    assertFetched(DEFAULTS, List.of("d0/o00"));
    assertEquals(2, gets().size());
  }

  @Test
  void anAnswerThatIsTooSlowIsGivenUpAndTheRestGoesOn() throws Exception {
    Fault drip = new Fault.Body(BodyFault.drip(200), false);
    bench().script().first(1, "GET /faults/p/d0/o00", drip).always("GET /faults/p/d1/o01", drip);
    Results got = bench().fetch(IMPATIENT, bench().keys());
    for (String key : bench().keys()) {
      if (!key.equals("d1/o01")) {
        assertArrayEquals(bench().bytes(key), got.of(key).bytes(), key);
      }
    }
    String message = String.valueOf(got.of("d1/o01").failure().getMessage());
    assertTrue(message.startsWith("expected s3a://faults/p/d1/o01, 20000 bytes, within "), message);
    assertTrue(message.contains("gave up after 3 attempts"), message);
    assertEquals(2, gets().stream().filter(get -> get.path().contains("o00")).count());
  }

  @Test
  void anAnswerThatDoesNotBeginIsGivenUp() throws Exception {
    bench().script().first(1, "GET", new Fault.Late(Duration.ofSeconds(20)));
    assertFetched(IMPATIENT, List.of("d0/o00"));
  }

  @Test
  void aMissingObjectIsTheRecordsFault() throws Exception {
    Throwable failure = bench().fetch(DEFAULTS, List.of("d0/none")).of("d0/none").failure();
    SampleRejectedException e = assertInstanceOf(SampleRejectedException.class, failure);
    assertEquals(RejectReason.IMAGE_MISSING, e.reason());
    assertEquals(1, gets().size());
  }

  @Test
  void deniedAccessFailsAtOnceAndNamesThePrefix() throws Exception {
    bench().script().always("GET /faults/p/d2/", Fault.answer(403, "AccessDenied"));
    String message = assertFails(DEFAULTS, "d2/o02");
    assertTrue(
        message.startsWith("access denied under s3a://faults/p/d2/ (AccessDenied)"), message);
    assertEquals(1, gets().size());
  }

  @Test
  void aBucketThatIsNotThereIsNoMissingImage() throws Exception {
    Throwable failure =
        FetchBench.fetch(bench().configuration(), "no-such-bucket", DEFAULTS, List.of("a"))
            .of("a")
            .failure();
    assertInstanceOf(IOException.class, failure);
    assertFalse(failure instanceof SampleRejectedException);
  }

  @Test
  void expiredCredentialsAreLookedUpAgain() throws Exception {
    Configuration configuration = FetchBench.configuration(bench().port());
    lab.server().upload(lab.path("tree-" + BUCKET), "expiring", "p");
    configuration.set(
        "fs.s3a.bucket.expiring.aws.credentials.provider", RotatingCredentials.class.getName());
    bench().script().first(2, "GET /expiring", Fault.answer(400, "ExpiredToken"));
    Got got = FetchBench.fetch(configuration, "expiring", DEFAULTS, List.of("d0/o00")).of("d0/o00");
    assertArrayEquals(bench().bytes("d0/o00"), got.bytes(), () -> got.failure().toString());
    assertEquals(
        List.of("token-1", "token-2", "token-3"),
        gets().stream()
            .map(get -> CountingRelay.header(get.request(), "x-amz-security-token"))
            .toList());
  }

  @Test
  void credentialsThatStayExpiredFail() throws Exception {
    bench().script().always("GET", Fault.answer(400, "ExpiredToken"));
    String message = assertFails(IMPATIENT, "d0/o00");
    assertTrue(message.contains("gave up after 3 attempts"), message);
  }

  @ParameterizedTest
  @ValueSource(ints = {-20, 20})
  void theServersClockIsBelieved(int minutes) throws Exception {
    Fault skewed = new Fault.Answer(403, "RequestTimeTooSkewed", Duration.ofMinutes(minutes));
    bench().script().first(1, "GET", skewed);
    // The real server refuses what was signed for the made-up clock, and the client believes it
    // again.
    assertFetched(DEFAULTS, List.of("d0/o00"));
    List<String> dates =
        gets().stream().map(get -> CountingRelay.header(get.request(), "x-amz-date")).toList();
    assertEquals(3, dates.size(), dates::toString);
    assertNotEquals(dates.get(0).substring(0, 13), dates.get(1).substring(0, 13));
    assertNotEquals(dates.get(1).substring(0, 13), dates.get(2).substring(0, 13));
  }

  @Test
  void aStoreThatIsAwayForAWhileIsWaitedFor() throws Exception {
    int port = S3Server.freePort();
    Thread later =
        new Thread(
            () -> {
              try {
                BodyFault.sleep(2_000);
                var unused = CountingRelay.start(lab.server().port(), port, new FaultScript());
              } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
              }
            });
    lab.server().upload(lab.path("tree-" + BUCKET), "away", "p");
    Configuration configuration = FetchBench.configuration(port);
    RetrySettings oneAttempt =
        FetchSettings.retry(1, Duration.ofSeconds(10), 1 << 10, Duration.ofMinutes(1));
    later.start();
    Results got = FetchBench.fetch(configuration, "away", oneAttempt, bench().keys());
    for (String key : bench().keys()) {
      Got one = got.of(key);
      assertArrayEquals(bench().bytes(key), one.bytes(), () -> key + ": " + one.failure());
    }
    later.join();
  }

  @Test
  void aStoreThatStaysAwayFailsAtTheDeadline() throws Exception {
    Configuration configuration = FetchBench.configuration(S3Server.freePort());
    configuration.set("fs.s3a.bucket.gone-name.endpoint", "http://store.invalid");
    RetrySettings short2 =
        FetchSettings.retry(5, Duration.ofSeconds(10), 1 << 10, Duration.ofSeconds(2));
    for (String bucket : List.of("gone", "gone-name")) {
      Throwable failure =
          FetchBench.fetch(configuration, bucket, short2, List.of("a")).of("a").failure();
      String message = String.valueOf(failure.getMessage());
      assertTrue(message.contains("s3a://" + bucket + "/p/a"), message);
      assertTrue(message.contains("(fetch.deadline)"), message);
    }
  }
}
