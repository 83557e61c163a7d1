package io.stoker.preprocess.fetch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.stoker.preprocess.manifest.ManifestLine;
import io.stoker.preprocess.manifest.Provenance;
import io.stoker.preprocess.reject.RejectReason;
import io.stoker.preprocess.reject.SampleRejectedException;
import io.stoker.preprocess.sample.Rejection;
import io.stoker.preprocess.sample.Sample;
import io.stoker.preprocess.sample.SampleParser;
import io.stoker.preprocess.sample.SampleSettings;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The window against a store that answers when it is told to. */
@Timeout(60)
class FetchWindowTest {
  private static final FetchSettings SETTINGS =
      new FetchSettings(8, 3, 1 << 20, 100, "s3://bucket/d", List.of());

  /** No root is set, so references start where their manifest lies. */
  private static final FetchSettings BESIDE_MANIFEST =
      new FetchSettings(8, 3, 1 << 20, 100, "", List.of());

  private final ScriptedStore store = new ScriptedStore();
  private final SampleParser parser = new SampleParser(SampleSettings.DEFAULTS);
  private final Deque<ManifestLine> waiting = new ArrayDeque<>();
  private final List<Fetcher> fetchers = new ArrayList<>();

  @AfterEach
  void close() {
    fetchers.forEach(Fetcher::close);
  }

  @Test
  void orderIsKeptThoughLaterObjectsArriveFirst() throws Exception {
    try (FetchWindow window = window(SETTINGS, image("a"), image("b", "c"), image("e"))) {
      assertTrue(fill(window));
      for (String key : List.of("e", "c", "b", "a")) {
        store.awaitAsked("d/" + key);
      }
      for (String key : List.of("e", "c", "b", "a")) {
        store.answer("d/" + key, key.getBytes(UTF_8));
      }
      assertEquals("a", media(window.take()));
      assertEquals("b,c", media(window.take()));
      assertEquals("e", media(window.take()));
      assertFalse(fill(window));
    }
  }

  @Test
  void noMoreSamplesThanTheWindowHoldsAreUnderWay() throws Exception {
    try (FetchWindow window =
        window(SETTINGS, image("0"), image("1"), image("2"), image("3"), image("4"))) {
      for (int i = 0; i < 5; i++) {
        fill(window);
        assertTrue(fill(window), "filling a full window changes nothing");
        int added = Math.min(5, i + 3);
        assertEquals(5 - added, waiting.size());
        for (int j = i; j < added; j++) {
          store.awaitAsked("d/" + j);
        }
        store.answer("d/" + i, new byte[1]);
        assertInstanceOf(Sample.class, window.take().line());
      }
      assertEquals(3, store.mostOutstanding());
    }
  }

  @Test
  void noFurtherSampleIsStartedOnceEnoughBytesHaveArrived() throws Exception {
    // The bytes of data: URIs have arrived at once; 4 bytes each.
    String line = image("data:;base64,aGVsbA==");
    FetchSettings settings = new FetchSettings(8, 100, 10, 100, "", List.of());
    try (FetchWindow window = window(settings, line, line, line, line, line)) {
      fill(window);
      assertEquals(2, waiting.size(), "8 bytes are below 10, 12 are not");
      window.take();
      fill(window);
      assertEquals(1, waiting.size());
      window.take();
      window.take();
      window.take();
      fill(window);
      assertEquals(0, waiting.size());
      assertEquals("hell", media(window.take()));
      assertFalse(fill(window));
    }
  }

  @Test
  void oneSampleLargerThanTheWindowStillPasses() throws Exception {
    FetchSettings settings = new FetchSettings(8, 100, 1, 100, "", List.of());
    String line = image("data:;base64,aGVsbG8=");
    try (FetchWindow window = window(settings, line, line)) {
      assertTrue(fill(window));
      assertEquals("hello", media(window.take()));
      assertTrue(fill(window));
      assertEquals("hello", media(window.take()));
    }
  }

  @Test
  void samplesWithoutMediaPass() throws Exception {
    String line =
        "{\"messages\":[{\"role\":\"user\",\"content\":\"a\"},{\"role\":\"assistant\",\"content\":\"b\"}]}";
    try (FetchWindow window = window(SETTINGS, line)) {
      fill(window);
      assertEquals("", media(window.take()));
    }
  }

  @Test
  void aFaultOfTheStoreFails() throws Exception {
    IOException slowDown = new IOException("503 Slow Down");
    try (FetchWindow window = window(SETTINGS, image("a", "b"))) {
      store.fail("d/a", slowDown);
      fill(window);
      store.awaitAsked("d/b");
      IOException e = assertThrows(IOException.class, window::take);
      assertEquals("s3a://bucket/d/m.jsonl:1: 503 Slow Down", e.getMessage());
      assertSame(slowDown, e.getCause());
      store.awaitInterrupted("d/b");
    }
  }

  @Test
  void aFaultOfTheRecordIsAValue() throws Exception {
    store.fail("d/a", new SampleRejectedException(RejectReason.IMAGE_MISSING, "no object at d/a"));
    store.answer("d/b", new byte[] {7});
    try (FetchWindow window = window(SETTINGS, image("a"), "{\"cut", image("../x"), image("b"))) {
      fill(window);
      assertRejected(RejectReason.IMAGE_MISSING, 1, window.take());
      assertRejected(RejectReason.BAD_JSON, 2, window.take());
      assertRejected(RejectReason.PATH_NOT_ALLOWED, 3, window.take());
      fill(window);
      FetchWindow.Fetched ready = window.take();
      assertInstanceOf(Sample.class, ready.line());
      assertEquals(1, ready.media().size());
      assertArrayEquals(new byte[] {7}, ready.media().get(0));
    }
  }

  @Test
  void aSampleThatIsRefusedStartsNoRequest() throws Exception {
    try (FetchWindow window = window(SETTINGS, image("a", "../x"))) {
      fill(window);
      assertRejected(RejectReason.PATH_NOT_ALLOWED, 1, window.take());
      assertFalse(store.wasAsked("d/a"));
    }
  }

  @Test
  void closingCancelsWhatIsUnderWay() throws Exception {
    FetchWindow window = window(SETTINGS, image("a"), image("b"));
    fill(window);
    store.awaitAsked("d/a");
    store.awaitAsked("d/b");
    window.close();
    store.awaitInterrupted("d/a");
    store.awaitInterrupted("d/b");
  }

  @Test
  void anInterruptedTaskLeavesNoRequestBehind() throws Exception {
    try (FetchWindow window = window(SETTINGS, image("a"))) {
      fill(window);
      store.awaitAsked("d/a");
      Thread.currentThread().interrupt();
      assertThrows(InterruptedException.class, window::take);
      store.awaitInterrupted("d/a");
    }
  }

  /** A rejected row names its manifest itself; that must not open another directory to it. */
  @Test
  void aFedBackRowIsReadBesideItsManifestOnlyWhereThatIsAllowed() throws Exception {
    String row = fedBack("s3a://bucket/elsewhere/old.jsonl", image("a"));
    try (FetchWindow window = window(BESIDE_MANIFEST, row)) {
      fill(window);
      assertRejected(RejectReason.PATH_NOT_ALLOWED, 4711, window.take());
      assertFalse(store.wasAsked("elsewhere/a"));
      assertFalse(store.wasAsked("d/a"));
    }
  }

  @Test
  void aFedBackRowOfAManifestBesideThisOneIsReadThere() throws Exception {
    String row = fedBack("s3a://bucket/d/old.jsonl", image("a"));
    try (FetchWindow window = window(BESIDE_MANIFEST, row)) {
      fill(window);
      store.awaitAsked("d/a");
    }
  }

  private static String fedBack(String manifest, String record) {
    return "{\"reason\":\"image_missing\",\"detail\":\"x\",\"manifest\":\"%s\",\"offset\":5,\"line\":4711,\"record\":\"%s\"}"
        .formatted(manifest, record.replace("\"", "\\\""));
  }

  private static void assertRejected(RejectReason reason, int line, FetchWindow.Fetched found) {
    Rejection rejection = assertInstanceOf(Rejection.class, found.line());
    assertEquals(reason, rejection.reason());
    assertEquals(line, rejection.line().provenance().line());
    assertEquals(List.of(), found.media());
  }

  private static String media(FetchWindow.Fetched found) {
    assertInstanceOf(Sample.class, found.line());
    return String.join(",", found.media().stream().map(bytes -> new String(bytes, UTF_8)).toList());
  }

  private static String image(String... references) {
    return "{\"images\":[\"%s\"],\"messages\":[{\"role\":\"user\",\"content\":\"%s?\"},{\"role\":\"assistant\",\"content\":\"b\"}]}"
        .formatted(String.join("\",\"", references), "<image>".repeat(references.length));
  }

  /** A window, and the lines that {@link #fill} puts into it. */
  private FetchWindow window(FetchSettings settings, String... lines) {
    Fetcher fetcher = new Fetcher(settings, 1, store, store);
    fetchers.add(fetcher);
    for (int i = 0; i < lines.length; i++) {
      Provenance provenance = new Provenance("s3a://bucket/d/m.jsonl", 100L * i, i + 1);
      waiting.add(new ManifestLine(provenance, lines[i].getBytes(UTF_8), true));
    }
    MediaResolver resolver = new MediaResolver(settings, List.of("s3a://bucket/d/"));
    return new FetchWindow(resolver, fetcher, settings);
  }

  /** Adds lines as long as the window has room, as a task does. */
  private boolean fill(FetchWindow window) {
    while (window.hasRoom() && !waiting.isEmpty()) {
      window.add(parser.parse(waiting.remove()));
    }
    return !window.isEmpty();
  }
}
