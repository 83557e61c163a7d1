package io.stoker.preprocess.fetch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.stoker.preprocess.reject.SampleRejectedException;
import io.stoker.store.StoreFault;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests in the background. */
@Timeout(60)
class FetcherTest {
  private static final FetchSettings TWO = new FetchSettings(2, 1, 1, 5, "", List.of());

  private final ScriptedStore s3a = new ScriptedStore();
  private final ScriptedStore hadoop = new ScriptedStore();

  @Test
  void atMostTheConfiguredRequestsPerCoreAreUnderWay() throws Exception {
    try (Fetcher fetcher = new Fetcher(TWO, 2, s3a, hadoop)) {
      List<Future<byte[]>> futures = new ArrayList<>();
      for (int i = 0; i < 12; i++) {
        futures.add(fetcher.fetch(stored("s3a", "k" + i)));
      }
      for (int i = 0; i < 4; i++) {
        s3a.awaitAsked("k" + i);
      }
      for (int i = 0; i < 12; i++) {
        s3a.answer("k" + i, new byte[] {(byte) i});
      }
      for (int i = 0; i < 12; i++) {
        assertArrayEquals(new byte[] {(byte) i}, futures.get(i).get());
      }
      assertEquals(4, s3a.mostOutstanding());
      assertEquals(0, hadoop.mostOutstanding());
    }
  }

  @Test
  void theSchemeChoosesTheStore() throws Exception {
    try (Fetcher fetcher = new Fetcher(TWO, 1, s3a, hadoop)) {
      s3a.answer("k", new byte[] {1});
      hadoop.answer("k", new byte[] {2});
      assertArrayEquals(new byte[] {1}, fetcher.fetch(stored("s3a", "k")).get());
      assertArrayEquals(new byte[] {2}, fetcher.fetch(stored("hdfs", "k")).get());
      assertArrayEquals(new byte[] {2}, fetcher.fetch(stored("file", "k")).get());
      MediaSource inline = new MediaSource.Inline(new byte[] {3});
      assertTrue(fetcher.fetch(inline).isDone());
      assertArrayEquals(new byte[] {3}, fetcher.fetch(inline).get());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"s3a", "hdfs"})
  void everyRemoteStoreIsAskedAgain(String scheme) throws Exception {
    AtomicInteger asked = new AtomicInteger();
    ObjectStore troubled =
        (source, maxBytes) -> {
          if (asked.incrementAndGet() < 3) {
            throw new StoreFault(StoreFault.Kind.BROKEN, "trouble at " + source, null);
          }
          return new byte[] {7};
        };
    try (Fetcher fetcher = new Fetcher(TWO, 1, troubled, troubled)) {
      assertArrayEquals(new byte[] {7}, fetcher.fetch(stored(scheme, "k")).get());
    }
    assertEquals(3, asked.get());
  }

  @Test
  void closingLeavesNobodyWaiting() throws Exception {
    Fetcher fetcher = new Fetcher(new FetchSettings(1, 1, 1, 1, "", List.of()), 1, s3a, hadoop);
    Future<byte[]> underWay = fetcher.fetch(stored("s3a", "a"));
    Future<byte[]> queued = fetcher.fetch(stored("s3a", "b"));
    s3a.awaitAsked("a");
    fetcher.close();
    s3a.awaitInterrupted("a");
    assertThrows(ExecutionException.class, underWay::get);
    assertThrows(CancellationException.class, queued::get);
  }

  @Test
  void localFilesAreReadAndLimited(@TempDir Path directory) throws Exception {
    Files.writeString(directory.resolve("a"), "hello");
    Files.writeString(directory.resolve("b"), "hello!");
    MediaResolver resolver = new MediaResolver(TWO);
    String manifest = "file:" + directory + "/m.jsonl";
    try (Fetcher fetcher = new Fetcher(TWO, 1, new Configuration(false))) {
      assertArrayEquals(
          "hello".getBytes(UTF_8), fetcher.fetch(resolver.resolve("a", manifest)).get());
      Future<byte[]> tooLarge = fetcher.fetch(resolver.resolve("b", manifest));
      ExecutionException e = assertThrows(ExecutionException.class, tooLarge::get);
      assertInstanceOf(SampleRejectedException.class, e.getCause());
    }
  }

  @Test
  void limitsArePositive() {
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class, () -> new FetchSettings(0, 1, 1, 1, "", List.of()));
    assertEquals(
        "expected positive limits, found concurrency 0, window 1 and 1 bytes, max-bytes 1",
        e.getMessage());
    for (long[] limits : new long[][] {{0, 1, 1}, {1, 0, 1}, {1, 1, 0}}) {
      assertThrows(
          IllegalArgumentException.class,
          () -> new FetchSettings(1, (int) limits[0], limits[1], limits[2], "", List.of()));
    }
  }

  private static MediaSource stored(String scheme, String key) {
    return new MediaSource.Stored(scheme, "bucket", key, List.of(""));
  }
}
