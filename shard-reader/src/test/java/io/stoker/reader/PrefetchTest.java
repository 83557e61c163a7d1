package io.stoker.reader;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.stoker.fixture.TestDataset;
import io.stoker.format.PixelLayout;
import io.stoker.format.ShardFormatException;
import io.stoker.index.BlockTable;
import io.stoker.plan.PlanSettings;
import io.stoker.plan.RankSpec;
import io.stoker.store.DatasetStore;
import io.stoker.store.TestStores;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class PrefetchTest {
  private static final PlanSettings PLAN = new PlanSettings(3, 2, 1);
  private static final long SEED = 20260102;

  private final Path root;

  PrefetchTest(@TempDir Path root) throws IOException {
    this.root = root;
    TestDataset.write(root, "d", PixelLayout.UINT8, new int[] {3, 2, 4}, new int[] {1, 5, 1, 4});
  }

  private RankReader open(DatasetStore store, ReaderOptions options) throws IOException {
    return RankReader.open(store, "test", new RankSpec(0, 1), options, new FetchCounters());
  }

  private static List<String> rest(RankReader reader) throws IOException {
    List<String> samples = new ArrayList<>();
    while (reader.hasNext()) {
      try (Batch batch = reader.next()) {
        samples.add(batch.epoch() + "/" + batch.step() + "/" + batch.lane() + batch.sampleIds());
      }
    }
    return samples;
  }

  private List<String> expected(ReaderOptions options) throws IOException {
    try (RankReader reader = open(TestStores.local(root), options)) {
      return rest(reader);
    }
  }

  /** Several requests are under way at once, and their order is not that of delivery. */
  @Test
  void orderOfArrivalIsNotThatOfDelivery() throws IOException {
    ReaderOptions options = ReaderOptions.of(PLAN).withEpochs(3);
    List<String> expected = expected(options);
    RemoteStore store = new RemoteStore(root);
    AtomicInteger calls = new AtomicInteger();
    CountDownLatch others = new CountDownLatch(2);
    store.hook =
        (name, offset) -> {
          if (calls.getAndIncrement() == 0) {
            await(others);
          } else {
            others.countDown();
          }
        };
    try (RankReader reader = open(store, options)) {
      assertEquals(expected, rest(reader));
    }
  }

  private static void await(CountDownLatch latch) throws IOException {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  @Test
  void severalBlocksAreInFlight() throws IOException {
    RemoteStore store = new RemoteStore(root);
    CyclicBarrier four = new CyclicBarrier(4);
    AtomicInteger calls = new AtomicInteger();
    store.hook =
        (name, offset) -> {
          if (calls.getAndIncrement() < 4) {
            try {
              four.await();
            } catch (Exception e) {
              throw new IOException(e);
            }
          }
        };
    ReaderOptions options =
        ReaderOptions.of(PLAN).withPrefetch(new ReaderOptions.Prefetch(1 << 20, 100, 4));
    try (RankReader reader = open(store, options)) {
      assertEquals(20, rest(reader).size());
    }
  }

  /** F44: a trainer that stops reading costs no more memory, and goes on where it was. */
  @Test
  void trainerMayPause() throws Exception {
    ReaderOptions options =
        ReaderOptions.of(PLAN).withEpochs(5).withPrefetch(new ReaderOptions.Prefetch(20_000, 3, 4));
    List<String> expected = expected(options);
    RemoteStore store = new RemoteStore(root);
    try (RankReader reader = open(store, options)) {
      List<String> samples = new ArrayList<>();
      while (reader.hasNext()) {
        if (samples.size() % 16 == 0) {
          int before;
          do {
            before = store.fetched.size();
            Thread.sleep(50);
          } while (store.fetched.size() > before);
        }
        ReaderStats.Buffered buffered = reader.stats().buffered();
        // A block of each lane beyond the bound, if the next batch needs it.
        assertTrue(buffered.blocks() <= 3 + 2, buffered.toString());
        try (Batch batch = reader.next()) {
          samples.add(batch.epoch() + "/" + batch.step() + "/" + batch.lane() + batch.sampleIds());
        }
      }
      assertEquals(expected, samples);
    }
  }

  @Test
  void nothingIsFetchedUnaskedIfPrefetchingIsOff() throws Exception {
    ReaderOptions options = ReaderOptions.of(PLAN).withPrefetch(ReaderOptions.Prefetch.OFF);
    RemoteStore store = new RemoteStore(root);
    try (RankReader reader = open(store, options)) {
      Thread.sleep(50);
      assertEquals(0, store.fetched.size());
      reader.next();
      Thread.sleep(50);
      assertEquals(1, store.fetched.size());
      assertEquals(19, rest(reader).size());
      assertEquals(20, reader.stats().waits());
    }
  }

  @Test
  void errorsOfFetchThreadsSurfaceInTheirPlace() throws IOException {
    List<String> expected = expected(ReaderOptions.of(PLAN));
    for (Throwable failure : List.of(new StackOverflowError(), new OutOfMemoryError("x"))) {
      RemoteStore store = new RemoteStore(root);
      AtomicInteger calls = new AtomicInteger();
      store.hook =
          (name, offset) -> {
            if (calls.getAndIncrement() == 3) {
              throw (Error) failure;
            }
          };
      try (RankReader reader = open(store, ReaderOptions.of(PLAN))) {
        List<String> samples = new ArrayList<>();
        IOException e =
            assertThrows(
                IOException.class,
                () -> {
                  while (reader.hasNext()) {
                    samples.addAll(List.of(String.valueOf(reader.next().sampleIds())));
                  }
                });
        assertSame(failure, e.getCause());
        assertTrue(samples.size() < expected.size());
        assertThrows(IOException.class, reader::next, "the reader stays failed");
      }
    }
  }

  @Test
  void swappedShardsAndBlocksAreFound() throws IOException {
    TestDataset.write(root, "d", PixelLayout.UINT8, new int[] {3}, new int[] {3});
    Path first = root.resolve("shards/00/test.arrow");
    Path second = root.resolve("shards/01/test.arrow");
    byte[] bytes = Files.readAllBytes(first);
    byte[] others = Files.readAllBytes(second);
    Files.delete(first);
    Files.delete(second);
    Files.write(first, others);
    Files.write(second, bytes);
    for (DatasetStore store : List.of(TestStores.local(root), new RemoteStore(root))) {
      try (RankReader reader = open(store, ReaderOptions.of(PLAN))) {
        ShardFormatException e = assertThrows(ShardFormatException.class, () -> rest(reader));
        assertTrue(String.valueOf(e.getMessage()).startsWith("shards/0"), e.getMessage());
      }
    }
  }

  /** Every edit of a shard or the index ends in the right samples or in a typed error. */
  @Test
  void editsNeverGiveWrongSamples() throws IOException {
    ReaderOptions options = ReaderOptions.of(new PlanSettings(3, 4, 4));
    List<String> expected = expected(options);
    Random random = new Random(SEED);
    List<String> names = List.of("shards/00/test.arrow", "blocks.arrow", "shards/01/test.arrow");
    int refused = 0;
    for (int i = 0; i < 400; i++) {
      Path file = root.resolve(names.get(random.nextInt(3)));
      byte[] sound = Files.readAllBytes(file);
      byte[] edited = sound.clone();
      for (int edit = 0; edit <= random.nextInt(3); edit++) {
        edited[random.nextInt(edited.length)] = (byte) random.nextInt();
      }
      Files.delete(file);
      Files.write(file, edited);
      try (RankReader reader =
          open(random.nextBoolean() ? TestStores.local(root) : new RemoteStore(root), options)) {
        assertEquals(expected, rest(reader));
      } catch (ShardFormatException e) {
        refused++;
      }
      Files.delete(file);
      Files.write(file, sound);
    }
    assertTrue(refused > 300, "refused " + refused);
  }

  @Test
  void reportsEverySoManySteps() throws IOException {
    List<String> lines = new ArrayList<>();
    ReaderOptions options = ReaderOptions.of(PLAN).withReport(3, lines::add);
    try (RankReader reader = open(TestStores.local(root), options)) {
      rest(reader);
      assertEquals(reader.steps() / 3, lines.size());
    }
    assertTrue(lines.get(0).startsWith("step 3: wait ratio "), lines.get(0));
  }

  @Test
  void jmxShowsOpenReaders() throws Exception {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    ObjectName pattern = new ObjectName("io.stoker:type=RankReader,*");
    assertEquals(0, server.queryNames(pattern, null).size());
    try (RankReader reader = open(TestStores.local(root), ReaderOptions.of(PLAN))) {
      rest(reader);
      ObjectName name = server.queryNames(pattern, null).iterator().next();
      assertEquals(2 * reader.steps(), server.getAttribute(name, "Batches"));
      assertTrue(String.valueOf(server.getAttribute(name, "Json")).startsWith("{\"batches\":"));
    }
    assertEquals(0, server.queryNames(pattern, null).size());
  }

  @Test
  void flightRecorderSeesMapsMissesAndWaits(@TempDir Path temporary) throws IOException {
    Path file = temporary.resolve("test.jfr");
    BlockTable table = OpenDataset.index(TestStores.local(root), "test");
    try (Recording recording = new Recording()) {
      recording.enable("stoker.Map").withoutThreshold();
      recording.enable("stoker.Miss").withoutThreshold();
      recording.enable("stoker.Wait").withoutThreshold();
      recording.start();
      try (RankReader reader = open(new RemoteStore(root), ReaderOptions.of(PLAN))) {
        rest(reader);
      }
      recording.stop();
      recording.dump(file);
    }
    List<RecordedEvent> events = RecordingFile.readAllEvents(file);
    assertTrue(count(events, "stoker.Map") >= table.blocks());
    assertEquals(count(events, "stoker.Map"), count(events, "stoker.Miss"));
    assertTrue(count(events, "stoker.Wait") <= 20);
  }

  private static long count(List<RecordedEvent> events, String name) {
    return events.stream().filter(event -> event.getEventType().getName().equals(name)).count();
  }
}
