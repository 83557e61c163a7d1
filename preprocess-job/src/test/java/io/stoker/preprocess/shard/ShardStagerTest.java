package io.stoker.preprocess.shard;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.stoker.format.PixelLayout;
import io.stoker.index.BlockEntry;
import io.stoker.preprocess.measure.StageClock;
import io.stoker.preprocess.store.GatedFileSystem;
import io.stoker.preprocess.store.OutputStore;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Blocks and shards are stored in the background, on a file system that waits and fails. */
@Timeout(60)
class ShardStagerTest {
  private static final int PATCHES = 16;
  private static final Attempt ATTEMPT = new Attempt("job", 0, 0);
  private static final PixelLayout LAYOUT = PixelLayout.of("uint8", "single");
  // A block of two packs, a shard of two blocks.
  private static final ShardSettings SETTINGS = new ShardSettings(50_000, 20_000);

  private final Path directory;
  private final OutputStore store;

  ShardStagerTest(@TempDir Path directory) throws IOException {
    this.directory = directory;
    this.store = new OutputStore("gated://" + directory, GatedFileSystem.configuration());
  }

  @AfterEach
  void open() {
    GatedFileSystem.open(GatedFileSystem.WRITES);
    GatedFileSystem.open(GatedFileSystem.CLOSES);
    GatedFileSystem.room(Long.MAX_VALUE);
  }

  private ShardStager stager(OutputStore output) {
    return new ShardStager(output, ATTEMPT, "dataset-1", LAYOUT, SETTINGS, new StageClock());
  }

  private static void addPack(ShardStager stager, int number) throws IOException {
    stager.beginPack(PATCHES);
    BlockBuilder block = stager.block();
    int bytes = PATCHES * block.layout().bytesPerPatch();
    int at = block.reservePatches(PATCHES);
    Arrays.fill(block.pixels(), at, at + bytes, (byte) number);
    long[] ids = {number, 7};
    block.addSegment("s" + number, ids, new long[] {-100, 7}, new long[6], new int[] {1, 4, 4});
    stager.endPack();
  }

  private static void addPacks(ShardStager stager, int from, int to) throws IOException {
    for (int i = from; i < to; i++) {
      addPack(stager, i);
    }
  }

  private List<String> files() throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(Files::isRegularFile).map(Path::toString).sorted().toList();
    }
  }

  /** A thread pool has terminated a moment before its threads have. */
  private static void awaitNoThreads() throws InterruptedException {
    while (threads().findAny().isPresent()) {
      Thread.sleep(1);
    }
  }

  private static Stream<String> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(Set.of("stoker-write", "stoker-publish")::contains);
  }

  @Test
  void blocksAndShardsEndWhereTheyShouldAndHoldWhatWasAdded(@TempDir Path plain) throws Exception {
    List<StagedShard> gated;
    try (ShardStager stager = stager(store)) {
      addPacks(stager, 0, 11);
      gated = stager.finish();
      assertEquals(new BlockStats(11, 11, 22, 11, 11L * PATCHES), stager.stats());
      assertEquals(gated.stream().mapToLong(s -> s.entry().bytes()).sum(), stager.bytes());
    }
    assertEquals(
        List.of(List.of(2, 2), List.of(2, 2), List.of(2, 1)),
        gated.stream().map(s -> s.blocks().stream().map(BlockEntry::packs).toList()).toList());
    OutputStore local =
        new OutputStore(plain.toString(), new org.apache.hadoop.conf.Configuration(false));
    try (ShardStager stager = stager(local)) {
      addPacks(stager, 0, 11);
      assertEquals(gated, stager.finish());
    }
    for (StagedShard shard : gated) {
      assertArrayEquals(
          Files.readAllBytes(plain.resolve(shard.entry().name())),
          Files.readAllBytes(directory.resolve(shard.entry().name())));
    }
    awaitNoThreads();
  }

  @Test
  void theNextBlockIsFilledWhileOneIsBeingWritten() throws Exception {
    try (ShardStager stager = stager(store)) {
      GatedFileSystem.shut(GatedFileSystem.WRITES);
      BlockBuilder first = stager.block();
      addPacks(stager, 0, 3);
      assertEquals(1, stager.block().packs());
      assertFalse(first == stager.block(), "the first block is being written");
      GatedFileSystem.open(GatedFileSystem.WRITES);
      addPacks(stager, 3, 5);
      assertTrue(first == stager.block(), "two blocks take turns");
      assertEquals(2, stager.finish().size());
    }
  }

  @Test
  void theNextShardIsWrittenWhileOneIsBeingCompleted() throws Exception {
    try (ShardStager stager = stager(store)) {
      GatedFileSystem.shut(GatedFileSystem.CLOSES);
      // The first shard and a block of the second; handing over the third means that it is written.
      addPacks(stager, 0, 8);
      assertEquals(2, files().size());
      assertEquals(0, stager.bytes());
      GatedFileSystem.open(GatedFileSystem.CLOSES);
      assertEquals(2, stager.finish().size());
    }
  }

  @Test
  void aBlockThatCannotBeWrittenFailsTheTaskAndLeavesNothing() throws Exception {
    GatedFileSystem.room(30_000);
    try (ShardStager stager = stager(store)) {
      IOException e = assertThrows(IOException.class, () -> addPacks(stager, 0, 100));
      assertEquals("No space left on device", e.getMessage());
      assertEquals(
          "No space left on device",
          assertThrows(IOException.class, stager::finish).getMessage(),
          "it stays failed");
    }
    assertEquals(List.of(), files());
    awaitNoThreads();
  }

  @Test
  void aShardThatCannotBeCompletedFailsTheTaskSoonAndLeavesNothing() throws Exception {
    GatedFileSystem.nextCloseFails(true);
    try (ShardStager stager = stager(store)) {
      addPacks(stager, 0, 4);
      assertThrows(IOException.class, stager::settle);
      addPacks(stager, 4, 6);
      // The failure comes with the next block, not only at the end of the next shard.
      IOException e = assertThrows(IOException.class, () -> addPacks(stager, 6, 8));
      assertEquals("cannot be completed", e.getMessage());
      assertEquals(
          "cannot be completed", assertThrows(IOException.class, stager::finish).getMessage());
    }
    assertEquals(List.of(), files());
    awaitNoThreads();
  }

  /** A request that is interrupted may leave an upload that nobody knows of. */
  @Test
  void closingLetsWhatIsUnderWayEnd() throws Exception {
    ShardStager stager = stager(store);
    addPacks(stager, 0, 2);
    stager.settle();
    GatedFileSystem.shut(GatedFileSystem.CLOSES);
    addPacks(stager, 2, 6);
    CompletableFuture<Void> closed = CompletableFuture.runAsync(() -> close(stager));
    while (!GatedFileSystem.CLOSES.hasQueuedThreads()) {
      Thread.sleep(1);
    }
    assertFalse(closed.isDone());
    GatedFileSystem.open(GatedFileSystem.CLOSES);
    closed.join();
    assertEquals(
        List.of(directory.resolve(ATTEMPT.shardName(0)).toString()), files(), "the complete one");
    awaitNoThreads();
  }

  private static void settle(ShardStager stager) {
    try {
      stager.settle();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void close(ShardStager stager) {
    try {
      stager.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A careful attempt does nothing else while it works on a row. */
  @Test
  void settlingWaitsForBlockAndShard() throws Exception {
    try (ShardStager stager = stager(store)) {
      addPacks(stager, 0, 2);
      stager.settle();
      long written = Files.size(Path.of(files().get(0)));
      addPacks(stager, 2, 4);
      stager.settle();
      assertTrue(Files.size(Path.of(files().get(0))) > written, "the second block");
      assertEquals(Files.size(Path.of(files().get(0))), stager.bytes());
      // It waits where it must.
      GatedFileSystem.shut(GatedFileSystem.CLOSES);
      addPacks(stager, 4, 8);
      CompletableFuture<Void> settled = CompletableFuture.runAsync(() -> settle(stager));
      while (!GatedFileSystem.CLOSES.hasQueuedThreads()) {
        Thread.sleep(1);
      }
      assertFalse(settled.isDone());
      GatedFileSystem.open(GatedFileSystem.CLOSES);
      settled.join();
      assertEquals(2, stager.finish().size());
    }
  }

  /** Spark interrupts a task that is killed. */
  @Test
  void anInterruptedTaskStopsWaitingAndAborts() throws Exception {
    GatedFileSystem.shut(GatedFileSystem.WRITES);
    AtomicReference<Throwable> failure = new AtomicReference<>();
    CompletableFuture<Boolean> flag = new CompletableFuture<>();
    Thread task =
        new Thread(
            () -> {
              try (ShardStager stager = stager(store)) {
                addPacks(stager, 0, 100);
              } catch (IOException e) {
                failure.set(e);
              }
              flag.complete(Thread.interrupted());
            });
    task.start();
    while (task.getState() != Thread.State.WAITING && task.isAlive()) {
      Thread.sleep(1);
    }
    task.interrupt();
    // It waits for what is under way.
    while (task.getState() != Thread.State.TIMED_WAITING && task.isAlive()) {
      Thread.sleep(1);
    }
    GatedFileSystem.open(GatedFileSystem.WRITES);
    task.join();
    assertTrue(failure.get() instanceof InterruptedIOException, () -> "failure: " + failure.get());
    assertFalse(flag.join(), "the exception says it");
    assertEquals(List.of(), files());
    awaitNoThreads();
  }

  /** An interruption that comes while a failed task tidies up is kept for later. */
  @Test
  void anInterruptedThreadStillAborts() throws Exception {
    ShardStager stager = stager(store);
    addPacks(stager, 0, 3);
    Thread.currentThread().interrupt();
    stager.close();
    assertTrue(Thread.interrupted(), "the next caller learns of it");
    assertEquals(List.of(), files());
    awaitNoThreads();
  }
}
