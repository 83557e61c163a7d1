package io.stoker.reader;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.stoker.fixture.FakeS3;
import io.stoker.fixture.TestDataset;
import io.stoker.format.ShardFormatException;
import io.stoker.plan.PlanSettings;
import io.stoker.plan.RankSpec;
import io.stoker.store.DatasetStore;
import io.stoker.store.DatasetUnavailableException;
import io.stoker.store.StoreOptions;
import io.stoker.store.TestStores;
import io.stoker.store.TransferCounters;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Reads from a server on the loopback device that knows how to misbehave; pauses take no time. */
@Timeout(120)
class S3StoreTest extends S3StoreBench {
  S3StoreTest(@TempDir Path bucket) throws IOException {
    super(bucket);
  }

  @Test
  void everyBlockIsOneRangedGet() throws IOException {
    Set<String> expected = new HashSet<>();
    for (int pack = 0; pack < 9; pack++) {
      expected.addAll(TestDataset.sampleIds(pack));
    }
    FetchCounters counters = new FetchCounters();
    assertEquals(expected, new HashSet<>(samples(options(), counters)));
    assertEquals(3, server.requests(SHARDS).size());
    assertEquals(5, server.requests("").size());
    assertEquals(5, counters.transfers.requests.sum());
    assertEquals(0, counters.transfers.retries.sum());
    assertTrue(counters.transfers.bytes.sum() > 3 * 64);
  }

  /** F01: a burst is answered by fewer requests at a time, later and later. */
  @Test
  void slowDownIsObeyed() throws IOException {
    List<String> undisturbed = samples();
    server.next(20, SHARDS, (request, answer) -> answer.error(503, "SlowDown"));
    server.next(1, PREFIX, (request, answer) -> answer.error(429, "TooManyRequests"));
    assertEquals(undisturbed, samples());
    assertTrue(pauses.contains(99L + 1) && pauses.contains(1600L), pauses.toString());
    assertTrue(pauses.stream().allMatch(millis -> millis <= 5000), pauses.toString());
  }

  /** F02. */
  @Test
  void serverErrorsAreRepeatedThenGivenUp() throws IOException {
    List<String> undisturbed = samples();
    for (int status : new int[] {500, 502, 504}) {
      server.next(3, SHARDS, (request, answer) -> answer.error(status, "InternalError"));
      assertEquals(undisturbed, samples(), "status " + status);
    }
    server.next(1000, SHARDS, (request, answer) -> answer.error(500, "InternalError"));
    Map<String, String> few =
        Map.of(StoreOptions.S3_ENDPOINT, server.endpoint(), StoreOptions.S3_MAX_ATTEMPTS, "4");
    IOException e = assertThrows(DatasetUnavailableException.class, () -> samples(few));
    assertTrue(
        String.valueOf(e.getMessage())
            .matches(
                "shards/0[01]/test.arrow, block at [0-9]+: unavailable: cannot get s3://bucket/a/"
                    + "data set/shards/0[01]/test.arrow: .*500.*; gave up after 4 attempts in [0-9] s"
                    + " \\(s3.max-attempts\\)"),
        e.getMessage());
  }

  /** F03 and F04. */
  @Test
  void bodiesThatBreakOffAreFetchedAgain() throws IOException {
    List<String> undisturbed = samples();
    int length = (int) Files.size(root.resolve(SHARD)) / 3;
    for (boolean reset : new boolean[] {true, false}) {
      for (int send : new int[] {0, 1, length / 2, length}) {
        server.next(
            2,
            SHARDS,
            (request, answer) -> {
              answer.reset = reset;
              answer.send = Math.min(send, answer.body.length - 1);
            });
        assertEquals(undisturbed, samples(), "after " + send + " bytes, reset " + reset);
      }
    }
  }

  /** F05: a block that comes damaged is fetched once more, and no more. */
  @Test
  void damagedBlocksAreFetchedOnceMore() throws IOException {
    List<String> undisturbed = samples();
    server.next(1, SHARDS, (request, answer) -> answer.body[answer.body.length / 2] ^= 4);
    FetchCounters counters = new FetchCounters();
    assertEquals(undisturbed, samples(options(), counters));
    assertEquals(1, counters.transfers.retries.sum());
    server.next(1000, SHARDS, (request, answer) -> answer.body[answer.body.length - 70] ^= 4);
    ShardFormatException e = assertThrows(ShardFormatException.class, this::samples);
    assertEquals(ShardFormatException.Kind.CORRUPT, e.kind());
  }

  /** F06. */
  @Test
  void serversThatIgnoreRangesAreRefused() throws IOException {
    List<String> undisturbed = samples();
    FakeS3.Fault whole =
        (request, answer) -> {
          answer.status = 200;
          answer.headers.remove("Content-Range");
          answer.body = Files.readAllBytes(root.resolve(request.name().substring(PREFIX.length())));
        };
    FakeS3.Fault other =
        (request, answer) -> answer.headers.put("Content-Range", "bytes 0-1/" + 17);
    for (FakeS3.Fault fault : List.of(whole, other)) {
      server.next(2, SHARDS, fault);
      assertEquals(undisturbed, samples());
    }
    server.next(1000, SHARDS, whole);
    ShardFormatException e = assertThrows(ShardFormatException.class, this::samples);
    assertTrue(
        String.valueOf(e.getMessage())
            .matches("shards/0[01]/test.arrow: content range: expected bytes .*, found null"),
        e.getMessage());
  }

  /** F07: never a mix of two versions of a shard. */
  @Test
  void objectsThatChangeAreRefused() throws IOException {
    try (DatasetStore store =
        TestStores.s3(LOCATION, options(), new TransferCounters(), millis -> {})) {
      byte[] shard = Files.readAllBytes(root.resolve(SHARD));
      store.map(SHARD, shard.length, 0, 64);
      assertEquals(null, last().headers().get("if-match"));
      store.map(SHARD, shard.length, 64, 64);
      assertTrue(last().headers().containsKey("if-match"));
      shard[5000] ^= 1;
      Files.write(root.resolve(SHARD), shard);
      // The first change is taken for a copy of the same content. The checksums decide whether it
      // is.
      store.map(SHARD, shard.length, 128, 64);
      shard[5000] ^= 3;
      Files.write(root.resolve(SHARD), shard);
      IOException e =
          assertThrows(IOException.class, () -> store.map(SHARD, shard.length, 192, 64));
      assertEquals(
          "s3://bucket/a/data set/" + SHARD + ": the object has changed while it was being read",
          e.getMessage());
    }
  }

  private FakeS3.Request last() {
    List<FakeS3.Request> all = server.requests(SHARDS);
    return all.get(all.size() - 1);
  }

  /** F11: credentials that expire in the middle are looked up again. */
  @Test
  void expiredCredentialsAreRefreshed(@TempDir Path home) throws IOException {
    System.clearProperty("aws.accessKeyId");
    System.clearProperty("aws.secretAccessKey");
    Path file = home.resolve("credentials");
    System.setProperty("aws.sharedCredentialsFile", file.toString());
    Files.writeString(file, "[default]\naws_access_key_id=OLD\naws_secret_access_key=x\n");
    server.next(
        1,
        SHARDS,
        (request, answer) ->
            Files.writeString(file, "[default]\naws_access_key_id=NEW\naws_secret_access_key=x\n"));
    server.next(
        1000,
        SHARDS,
        (request, answer) -> {
          if (request.header("authorization").contains("Credential=OLD/")) {
            answer.error(400, "ExpiredToken");
          }
        });
    assertEquals(13, samples().size());
    assertTrue(last().header("authorization").contains("Credential=NEW/"));
    server.next(1000, SHARDS, (request, answer) -> answer.error(400, "ExpiredToken"));
    assertThrows(DatasetUnavailableException.class, this::samples);
  }

  /** F12: the SDK learns the server's time from its refusal. */
  @Test
  void clockSkewIsCorrected() throws IOException {
    Instant theirs = Instant.now().plusSeconds(20 * 60);
    DateTimeFormatter format =
        DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH)
            .withZone(ZoneOffset.UTC);
    DateTimeFormatter signed =
        DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);
    AtomicInteger refused = new AtomicInteger();
    server.next(
        1000,
        "",
        (request, answer) -> {
          Instant date = Instant.from(signed.parse(request.header("x-amz-date")));
          if (date.isBefore(theirs.minusSeconds(15 * 60))) {
            refused.incrementAndGet();
            answer.error(403, "RequestTimeTooSkewed");
          }
          answer.headers.put("Date", format.format(theirs));
        });
    assertEquals(13, samples().size());
    assertEquals(1, refused.get());
  }

  /** F13. */
  @Test
  void refusedConnectionsAreRepeatedThenGivenUp() throws IOException {
    server.close();
    IOException e = assertThrows(IOException.class, this::samples);
    assertTrue(
        String.valueOf(e.getMessage())
            .startsWith("cannot get s3://bucket/a/data set/dataset.json: "),
        e.getMessage());
    assertTrue(
        String.valueOf(e.getMessage())
            .endsWith("; gave up after 8 attempts in 11 s (12 s at open)"),
        e.getMessage());
    assertEquals(7, pauses.size());
  }

  @Test
  void refusalsAreNotRepeated() {
    server.next(1000, SHARDS, (request, answer) -> answer.error(403, "AccessDenied"));
    DatasetUnavailableException e = assertThrows(DatasetUnavailableException.class, this::samples);
    assertTrue(String.valueOf(e.getMessage()).contains("403"), e.getMessage());
    assertEquals(List.of(), pauses);
  }

  @Test
  void requestsThatTakeTooLongAreRepeated() throws IOException {
    List<String> undisturbed = samples();
    CountDownLatch never = new CountDownLatch(1);
    server.next(2, SHARDS, (request, answer) -> never.await());
    Map<String, String> impatient =
        Map.of(StoreOptions.S3_ENDPOINT, server.endpoint(), StoreOptions.S3_REQUEST_TIMEOUT, "300");
    assertEquals(undisturbed, samples(impatient));
  }

  @Test
  void closingEndsTransfersThatHang() throws Exception {
    CountDownLatch reached = new CountDownLatch(1);
    server.next(
        1000,
        SHARDS,
        (request, answer) -> {
          reached.countDown();
          new CountDownLatch(1).await();
        });
    Map<String, String> store =
        Map.of(
            StoreOptions.S3_ENDPOINT, server.endpoint(), StoreOptions.S3_REQUEST_TIMEOUT, "2000");
    ReaderOptions options = ReaderOptions.of(new PlanSettings(1, 1, 1)).withStore(store);
    RankReader reader = RankReader.open(LOCATION, new RankSpec(0, 1), options);
    reached.await();
    reader.close();
    assertThrows(AlreadyClosedException.class, reader::next);
    assertTrue(Thread.getAllStackTraces().keySet().stream().noneMatch(S3StoreTest::isFetching));
  }

  private static boolean isFetching(Thread thread) {
    return thread.getName().startsWith("stoker-fetch-") && thread.isAlive();
  }

  @Test
  void missingObjectsAreNamed() throws IOException {
    Files.delete(root.resolve(SHARD));
    IOException shard = assertThrows(DatasetUnavailableException.class, this::samples);
    assertInstanceOf(NoSuchFileException.class, shard.getCause());
    Files.delete(root.resolve("dataset.json"));
    IOException e = assertThrows(IOException.class, this::samples);
    assertEquals("no dataset at " + LOCATION + ": there is no dataset.json", e.getMessage());
  }

  @Test
  void credentialsInTheLocationAreRefusedWithoutRepeatingThem() {
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class,
            () ->
                TestStores.s3(
                    URI.create("s3://key:secret@bucket/d"),
                    Map.of(),
                    new TransferCounters(),
                    millis -> {}));
    assertEquals(
        "dataset location: expected s3://bucket/prefix, without credentials", e.getMessage());
  }
}
