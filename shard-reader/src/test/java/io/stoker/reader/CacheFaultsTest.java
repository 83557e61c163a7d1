package io.stoker.reader;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.stoker.cache.BlockCache;
import io.stoker.cache.TestCaches;
import io.stoker.fixture.TestDataset;
import io.stoker.index.BlockTable;
import io.stoker.plan.PlanSettings;
import io.stoker.plan.RankSpec;
import io.stoker.store.TestStores;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The cache meets directories it must refuse, disks that fail, and ranks that died or hang. */
@Timeout(120)
class CacheFaultsTest extends CacheBench {
  CacheFaultsTest(@TempDir Path temporary) throws IOException {
    super(temporary);
  }

  @Test
  void directoryOpenToOthersIsRefused() throws IOException {
    Files.createDirectories(directory);
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-x---"));
    IOException e = assertThrows(IOException.class, () -> open(PLENTY));
    assertEquals(
        "cache directory "
            + directory.toRealPath()
            + ": expected permissions rwx------, found rwxr-x---",
        e.getMessage());
  }

  @Test
  void directoryOfSomeoneElseIsRefused() throws IOException {
    Files.createDirectories(directory);
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
    if ("root".equals(Files.getOwner(directory).getName())) {
      Files.setOwner(
          directory,
          directory
              .getFileSystem()
              .getUserPrincipalLookupService()
              .lookupPrincipalByName("nobody"));
      IOException e = assertThrows(IOException.class, () -> open(PLENTY));
      assertEquals(
          "cache directory "
              + directory.toRealPath()
              + ": expected to belong to root, it belongs to nobody",
          e.getMessage());
    } else {
      // This user cannot give a directory away. The file system refuses the root directory, or the
      // check does.
      assertThrows(
          IOException.class,
          () -> BlockCache.open(Path.of("/"), PLENTY, Duration.ofMinutes(2), "d"));
    }
  }

  @Test
  void quotaBelowWhatThePlanNeedsIsRefused() throws IOException {
    long needed = 3 * largest();
    ReaderOptions options =
        ReaderOptions.of(new PlanSettings(3, 2, 1))
            .withCache(ReaderOptions.Cache.of(directory, needed - 1));
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class,
            () ->
                RankReader.open(
                    new RemoteStore(root),
                    "test",
                    new RankSpec(0, 1),
                    options,
                    new FetchCounters()));
    assertEquals(
        "cache.max-bytes: expected at least "
            + needed
            + " (a block of up to "
            + largest()
            + " bytes for each of 2 lanes, and one more), found "
            + (needed - 1),
        e.getMessage());
    assertFalse(Files.exists(directory));
  }

  @Test
  void halfWrittenFilesOfKilledRanksAreRemoved() throws IOException {
    open(PLENTY).close();
    Path abandoned =
        Files.write(directory.resolve("0123456789abcdef-7-01234567.17-4711.tmp"), new byte[10]);
    open(PLENTY).close();
    assertFalse(Files.exists(abandoned));
    Files.write(abandoned, new byte[10]);
    try (TestCaches.Locks locks = TestCaches.locks(directory);
        FileLock lock = locks.tryLock("0123456789abcdef", 7)) {
      assertNotNull(lock);
      open(PLENTY).close();
      assertTrue(Files.exists(abandoned), "someone is writing it");
    }
  }

  /** F33: a full disk costs the cache, not the training. */
  @Test
  void fullDiskDegradesToMemory() throws IOException {
    TestCaches.Disk full =
        (file, bytes) -> {
          Files.write(file, new byte[100]);
          throw new IOException("No space left on device");
        };
    FetchCounters counters = new FetchCounters();
    assertEquals(expected, samples(new RemoteStore(root), open(PLENTY, full), counters));
    assertEquals(6, counters.cacheFailures.sum());
    try (Stream<Path> files = Files.list(directory)) {
      assertEquals(
          List.of("stoker-cache.lock"),
          files.map(file -> String.valueOf(file.getFileName())).toList());
    }
  }

  /**
   * F33 on a real file system of 4 MB if one can be mounted, otherwise on a disk that is simulated.
   */
  @Test
  void fullFileSystemDegradesToMemory(@TempDir Path temporary) throws Exception {
    Path large = Files.createDirectories(temporary.resolve("large"));
    TestDataset.writeLarge(large, "large", 12, 1 << 20);
    List<String> ids = samples(TestStores.local(large), null, new FetchCounters());
    Path mount = Files.createDirectories(temporary.resolve("mount"));
    boolean mounted = run("mount", "-t", "tmpfs", "-o", "size=4m,mode=0700", "tmpfs", mount);
    try {
      BlockTable largeTable = OpenDataset.index(TestStores.local(large), "test");
      AtomicLongWriter limited = new AtomicLongWriter(mounted ? Long.MAX_VALUE : 4 << 20);
      BlockCache cache = TestCaches.open(mount, PLENTY, largeTable.dataset().datasetId(), limited);
      FetchCounters counters = new FetchCounters();
      assertEquals(ids, samples(new RemoteStore(large), cache, counters));
      assertEquals(12, counters.cacheMisses.sum());
      // The cache makes room once for each block. This test shows that training went on.
      assertTrue(counters.cacheFailures.sum() < 12);
    } finally {
      if (mounted) {
        assertTrue(run("umount", "-l", mount));
      }
    }
  }

  private static final class AtomicLongWriter implements TestCaches.Disk {
    private long left;

    AtomicLongWriter(long left) {
      this.left = left;
    }

    @Override
    public synchronized void write(Path file, ByteBuffer bytes) throws IOException {
      left -= bytes.remaining();
      if (left < 0) {
        throw new IOException("No space left on device");
      }
      TestCaches.writeDurably(file, bytes);
    }
  }

  private static boolean run(Object... command) throws Exception {
    List<String> words = Arrays.stream(command).map(String::valueOf).toList();
    try {
      Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
      return process.waitFor(30, TimeUnit.SECONDS) && process.exitValue() == 0;
    } catch (IOException e) {
      return false; // No such command.
    }
  }

  /** F35: a wait ends, and the block comes without the cache. */
  @Test
  void waitersLoseTheirPatience() throws IOException {
    RemoteStore store = new RemoteStore(root);
    FetchCounters counters = new FetchCounters();
    try (BlockCache cache = BlockCache.open(directory, PLENTY, Duration.ZERO, "d")) {
      BlockCache.Turn other = cache.awaitTurn(key(table, 2));
      assertNotNull(other);
      BlockSource source = new BlockSource(new OpenDataset(store, table, counters), cache);
      assertEquals(4, source.open(table.ref(2)).packs());
      assertEquals(1, counters.cacheFailures.sum());
      assertEquals(List.of(), blocks());
      other.close();
      assertEquals(4, source.open(table.ref(2)).packs());
      assertEquals(1, blocks().size());
    }
  }

  @Test
  void diskThatForgetsIsFoundOut() throws IOException {
    TestCaches.Disk forgetful =
        (file, bytes) -> {
          ByteBuffer zeros = ByteBuffer.allocate(bytes.remaining());
          TestCaches.writeDurably(file, zeros);
        };
    FetchCounters counters = new FetchCounters();
    assertEquals(expected, samples(new RemoteStore(root), open(PLENTY, forgetful), counters));
    assertEquals(6, counters.cacheFailures.sum());
    assertEquals(List.of(), blocks());
  }
}
