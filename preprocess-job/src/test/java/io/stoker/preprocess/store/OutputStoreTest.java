package io.stoker.preprocess.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.stoker.preprocess.store.OutputStore.StoredObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The output on local files. */
class OutputStoreTest {
  private final Path directory;
  private final OutputStore store;

  OutputStoreTest(@TempDir Path directory) throws IOException {
    this.directory = directory.resolve("data/set");
    this.store = new OutputStore(this.directory.toString(), new Configuration(false));
  }

  @Test
  void aPublishedObjectIsThereWhole() throws IOException {
    try (StagedFile file = store.stage("shards/ff/a.arrow")) {
      file.stream().write("hello".getBytes(UTF_8));
      file.publish();
    }
    assertEquals(List.of("shards/ff/a.arrow"), files());
    assertArrayEquals("hello".getBytes(UTF_8), store.read("shards/ff/a.arrow"));
  }

  @Test
  void anObjectThatIsNotPublishedIsRemoved() throws IOException {
    try (StagedFile file = store.stage("shards/ff/a.arrow")) {
      file.stream().write("hello".getBytes(UTF_8));
    }
    assertEquals(List.of(), files());
    assertNull(store.read("shards/ff/a.arrow"));
  }

  @Test
  void closingTwiceOrAfterPublishingKeepsTheObject() throws IOException {
    StagedFile file = store.stage("a");
    file.publish();
    file.close();
    file.close();
    assertArrayEquals(new byte[0], store.read("a"));
    StagedFile aborted = store.stage("b");
    aborted.close();
    store.createIfAbsent("b", new byte[] {1});
    aborted.close();
    assertArrayEquals(new byte[] {1}, store.read("b"));
  }

  @Test
  void deletingIsForObjectsThatMayNotExist() throws IOException {
    store.delete("none");
    assertTrue(store.createIfAbsent("a", new byte[] {1}));
    store.delete("a");
    assertEquals(List.of(), files());
  }

  @Test
  void oneWriterWinsAndNothingElseIsLeft() throws Exception {
    int writers = 16;
    for (int round = 0; round < 20; round++) {
      String name = "dataset-" + round + ".json";
      CyclicBarrier barrier = new CyclicBarrier(writers);
      ExecutorService threads = Executors.newFixedThreadPool(writers);
      try {
        List<Future<Boolean>> futures = new ArrayList<>();
        for (int i = 0; i < writers; i++) {
          byte[] bytes = ("writer " + i).getBytes(UTF_8);
          futures.add(
              threads.submit(
                  () -> {
                    barrier.await();
                    return store.createIfAbsent(name, bytes);
                  }));
        }
        List<Integer> winners = new ArrayList<>();
        for (int i = 0; i < writers; i++) {
          if (futures.get(i).get()) {
            winners.add(i);
          }
        }
        assertEquals(1, winners.size(), () -> "winners: " + winners);
        assertArrayEquals(("writer " + winners.get(0)).getBytes(UTF_8), store.read(name));
      } finally {
        threads.shutdownNow();
      }
    }
    assertEquals(20, files().size(), () -> "only the objects: " + files());
  }

  @Test
  void theSecondWriterLosesAndAnEqualOneDoesNotMind() throws IOException {
    assertTrue(store.createIfAbsent("a", new byte[] {1}));
    assertFalse(store.createIfAbsent("a", new byte[] {2}));
    // A lost answer leaves this: the object holds what was to be written.
    assertTrue(store.createIfAbsent("a", new byte[] {1}));
    assertArrayEquals(new byte[] {1}, store.read("a"));
  }

  @Test
  void whatCannotBeToldIsSaid() throws IOException {
    // There is a file where the directory should be: nothing can be written or found there.
    Files.createDirectories(directory.getParent());
    Files.createFile(directory);
    CommitStateUnknownException e =
        assertThrows(
            CommitStateUnknownException.class, () -> store.createIfAbsent("a", new byte[] {1}));
    assertTrue(
        String.valueOf(e.getMessage())
            .startsWith("cannot tell whether file:%s/a was written (".formatted(directory)),
        e.getMessage());
  }

  @Test
  void objectsAreListedAtAnyDepth() throws IOException {
    assertEquals(List.of(), store.list(""));
    Instant before = Instant.now().minusSeconds(60);
    for (String name : List.of("dataset.json", "shards/0f/a b#1.arrow", "shards/10/b.arrow")) {
      store.createIfAbsent(name, name.getBytes(UTF_8));
    }
    assertEquals(files(), names(store.list("")));
    assertEquals(
        List.of("shards/0f/a b#1.arrow", "shards/10/b.arrow"), names(store.list("shards")));
    assertEquals(List.of(), store.list("none"));
    StoredObject object = store.list("shards/10").get(0);
    assertEquals(17, object.bytes());
    assertTrue(object.modified().isAfter(before), () -> "written just now: " + object);
    assertEquals(17, store.length("shards/10/b.arrow"));
    assertEquals(-1, store.length("shards/10/c.arrow"));
    store.deleteAll("shards");
    assertEquals(List.of("dataset.json"), files());
  }

  /** A job lists what its twin is removing. */
  @Test
  void whatVanishesWhileItIsListedIsNoFailure() throws Exception {
    store.createIfAbsent("rejects/stays.jsonl", new byte[1]);
    AtomicBoolean done = new AtomicBoolean();
    ExecutorService twin = Executors.newSingleThreadExecutor();
    try {
      Path comes = directory.resolve("rejects/comes.jsonl");
      Future<?> coming =
          twin.submit(
              () -> {
                while (!done.get()) {
                  Files.writeString(comes, "and goes");
                  Files.delete(comes);
                }
                return null;
              });
      for (int i = 0; i < 2000; i++) {
        assertTrue(names(store.list("rejects")).contains("rejects/stays.jsonl"));
      }
      done.set(true);
      coming.get();
    } finally {
      done.set(true);
      twin.shutdown();
    }
  }

  private static List<String> names(List<StoredObject> objects) {
    return objects.stream().map(StoredObject::name).sorted().toList();
  }

  @Test
  void theProbeFindsALocalDirectoryGoodAndLeavesNothing() throws IOException {
    store.probe("job");
    assertEquals(List.of(), files());
  }

  @Test
  void theProbeFailsWhereNothingCanBeWritten() throws IOException {
    Files.createDirectories(directory.getParent());
    Files.createFile(directory);
    IOException e = assertThrows(IOException.class, () -> store.probe("job"));
    assertEquals("expected a directory or nothing there, found a file", e.getMessage());
  }

  @Test
  void urisAreComplete() throws IOException {
    assertEquals("file:" + directory, store.uri());
    assertEquals("file:" + directory + "/rejects", store.uri("rejects"));
  }

  private List<String> files() {
    if (!Files.exists(directory)) {
      return List.of();
    }
    try (Stream<Path> all = Files.walk(directory)) {
      return all.filter(Files::isRegularFile)
          .map(file -> directory.relativize(file).toString())
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
