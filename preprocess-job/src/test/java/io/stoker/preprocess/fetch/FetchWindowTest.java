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
import io.stoker.preprocess.sample.SampleParser;
import io.stoker.preprocess.sample.SampleSettings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The window against a store that answers when it is told to. */
@Timeout(60)
class FetchWindowTest {
  private static final FetchSettings SETTINGS =
      new FetchSettings(8, 3, 1 << 20, 100, "s3://bucket/d", List.of());

  /** Without a root of their own: references start where their manifest lies. */
  private static final FetchSettings BESIDE_MANIFEST =
      new FetchSettings(8, 3, 1 << 20, 100, "", List.of());

  private final ScriptedStore store = new ScriptedStore();
  private final List<ManifestLine> parsed = new ArrayList<>();
  private final List<Fetcher> fetchers = new ArrayList<>();

  @AfterEach
  void close() {
    fetchers.forEach(Fetcher::close);
  }

  @Test
  void orderIsKeptThoughLaterObjectsArriveFirst() throws Exception {
    try (FetchWindow window = window(SETTINGS, image("a"), image("b", "c"), image("e"))) {
      assertTrue(window.fill());
      for (String key : List.of("e", "c", "b", "a")) {
        store.awaitAsked("d/" + key);
      }
      for (String key : List.of("e", "c", "b", "a")) {
        store.answer("d/" + key, key.getBytes(UTF_8));
      }
      assertEquals("a", media(window.take()));
      assertEquals("b,c", media(window.take()));
      assertEquals("e", media(window.take()));
      assertFalse(window.fill());
    }
  }

  @Test
  void noMoreSamplesThanTheWindowHoldsAreUnderWay() throws Exception {
    try (FetchWindow window =
        window(SETTINGS, image("0"), image("1"), image("2"), image("3"), image("4"))) {
      for (int i = 0; i < 5; i++) {
        window.fill();
        assertTrue(window.fill(), "filling a full window changes nothing");
        assertEquals(Math.min(5, i + 3), parsed.size());
        for (int j = i; j < parsed.size(); j++) {
          store.awaitAsked("d/" + j);
        }
        store.answer("d/" + i, new byte[1]);
        assertInstanceOf(FetchedLine.Ready.class, window.take());
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
      window.fill();
      assertEquals(3, parsed.size(), "8 bytes are below 10, 12 are not");
      window.take();
      window.fill();
      assertEquals(4, parsed.size());
      window.take();
      window.take();
      window.take();
      window.fill();
      assertEquals(5, parsed.size());
      assertEquals("hell", media(window.take()));
      assertFalse(window.fill());
    }
  }

  @Test
  void oneSampleLargerThanTheWindowStillPasses() throws Exception {
    FetchSettings settings = new FetchSettings(8, 100, 1, 100, "", List.of());
    String line = image("data:;base64,aGVsbG8=");
    try (FetchWindow window = window(settings, line, line)) {
      assertTrue(window.fill());
      assertEquals("hello", media(window.take()));
      assertTrue(window.fill());
      assertEquals("hello", media(window.take()));
    }
  }

  @Test
  void samplesWithoutMediaPass() throws Exception {
    String line =
        "{\"messages\":[{\"role\":\"user\",\"content\":\"a\"},{\"role\":\"assistant\",\"content\":\"b\"}]}";
    try (FetchWindow window = window(SETTINGS, line)) {
      window.fill();
      assertEquals("", media(window.take()));
    }
  }

  @Test
  void aFaultOfTheStoreFails() throws Exception {
    IOException slowDown = new IOException("503 Slow Down");
    try (FetchWindow window = window(SETTINGS, image("a", "b"))) {
      store.fail("d/a", slowDown);
      window.fill();
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
      window.fill();
      assertRejected(RejectReason.IMAGE_MISSING, 1, window.take());
      assertRejected(RejectReason.BAD_JSON, 2, window.take());
      assertRejected(RejectReason.PATH_NOT_ALLOWED, 3, window.take());
      window.fill();
      FetchedLine.Ready ready = assertInstanceOf(FetchedLine.Ready.class, window.take());
      assertArrayEquals(new byte[] {7}, ready.media().get(0));
      assertEquals(1, ready.bytes());
    }
  }

  @Test
  void aSampleThatIsRefusedStartsNoRequest() throws Exception {
    try (FetchWindow window = window(SETTINGS, image("a", "../x"))) {
      window.fill();
      assertRejected(RejectReason.PATH_NOT_ALLOWED, 1, window.take());
      assertFalse(store.wasAsked("d/a"));
    }
  }

  @Test
  void closingCancelsWhatIsUnderWay() throws Exception {
    FetchWindow window = window(SETTINGS, image("a"), image("b"));
    window.fill();
    store.awaitAsked("d/a");
    store.awaitAsked("d/b");
    window.close();
    store.awaitInterrupted("d/a");
    store.awaitInterrupted("d/b");
  }

  @Test
  void anInterruptedTaskLeavesNoRequestBehind() throws Exception {
    try (FetchWindow window = window(SETTINGS, image("a"))) {
      window.fill();
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
      window.fill();
      assertRejected(RejectReason.PATH_NOT_ALLOWED, 4711, window.take());
      assertFalse(store.wasAsked("elsewhere/a"));
      assertFalse(store.wasAsked("d/a"));
    }
  }

  @Test
  void aFedBackRowOfAManifestBesideThisOneIsReadThere() throws Exception {
    String row = fedBack("s3a://bucket/d/old.jsonl", image("a"));
    try (FetchWindow window = window(BESIDE_MANIFEST, row)) {
      window.fill();
      store.awaitAsked("d/a");
    }
  }

  private static String fedBack(String manifest, String record) {
    return "{\"reason\":\"image_missing\",\"detail\":\"x\",\"manifest\":\"%s\",\"offset\":5,\"line\":4711,\"record\":\"%s\"}"
        .formatted(manifest, record.replace("\"", "\\\""));
  }

  private static void assertRejected(RejectReason reason, int line, FetchedLine found) {
    FetchedLine.Rejected rejected = assertInstanceOf(FetchedLine.Rejected.class, found);
    assertEquals(reason, rejected.rejection().reason());
    assertEquals(line, rejected.rejection().line().provenance().line());
  }

  private static String media(FetchedLine line) {
    FetchedLine.Ready ready = assertInstanceOf(FetchedLine.Ready.class, line);
    return String.join(",", ready.media().stream().map(bytes -> new String(bytes, UTF_8)).toList());
  }

  private static String image(String... references) {
    return "{\"images\":[\"%s\"],\"messages\":[{\"role\":\"user\",\"content\":\"%s?\"},{\"role\":\"assistant\",\"content\":\"b\"}]}"
        .formatted(String.join("\",\"", references), "<image>".repeat(references.length));
  }

  private FetchWindow window(FetchSettings settings, String... lines) {
    Fetcher fetcher = new Fetcher(settings, 1, store, store);
    fetchers.add(fetcher);
    SampleParser parser = new SampleParser(SampleSettings.DEFAULTS);
    MediaResolver resolver = new MediaResolver(settings, List.of("s3a://bucket/d/"));
    return new FetchWindow(lines(lines), parser, resolver, fetcher, settings);
  }

  /** The lines, each noted in {@link #parsed} when it is taken. */
  private Iterator<ManifestLine> lines(String... lines) {
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return parsed.size() < lines.length;
      }

      @Override
      public ManifestLine next() {
        int i = parsed.size();
        Provenance provenance = new Provenance("s3a://bucket/d/m.jsonl", 100L * i, i + 1);
        parsed.add(new ManifestLine(provenance, lines[i].getBytes(UTF_8), true));
        return parsed.get(i);
      }
    };
  }
}
