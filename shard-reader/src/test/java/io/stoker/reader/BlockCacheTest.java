package io.stoker.reader;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.stoker.fixture.TestDataset;
import io.stoker.format.BlockLayout;
import io.stoker.format.PixelLayout;
import io.stoker.index.BlockTable;
import io.stoker.plan.PlanSettings;
import io.stoker.plan.RankSpec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class BlockCacheTest {
  private static final PlanSettings PLAN = new PlanSettings(3, 1, 1);
  private static final long PLENTY = 1 << 30;

  private final Path root;
  private final Path directory;
  private final BlockTable table;
  private final List<String> expected;

  BlockCacheTest(@TempDir Path temporary) throws IOException {
    this.root = Files.createDirectories(temporary.resolve("dataset"));
    this.directory = temporary.resolve("parent/cache");
    TestDataset.write(root, "d", PixelLayout.UINT8, new int[] {3, 2, 4}, new int[] {1, 5, 2});
    this.table = DatasetIndex.open(new LocalStore(root), "test");
    this.expected = samples(new LocalStore(root), null, new FetchCounters());
  }

  private BlockCache open(long maxBytes) throws IOException {
    return open(maxBytes, BlockCache::writeDurably);
  }

  private BlockCache open(long maxBytes, BlockCache.Writer writer) throws IOException {
    return BlockCache.open(ReaderOptions.Cache.of(directory, maxBytes), table, 1, writer);
  }

  private static List<String> samples(
      DatasetStore store,
      @org.jspecify.annotations.Nullable BlockCache cache,
      FetchCounters counters)
      throws IOException {
    BlockTable table = DatasetIndex.open(store, "test");
    List<String> samples = new ArrayList<>();
    try (RankReader reader =
        RankReader.open(
            new ReaderResources(store, table, cache, counters),
            new RankSpec(0, 1),
            ReaderOptions.of(PLAN))) {
      while (reader.hasNext()) {
        try (Batch batch = reader.next()) {
          samples.addAll(batch.sampleIds());
        }
      }
    }
    return samples;
  }

  private List<Path> blocks() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(file -> file.toString().endsWith(".block")).sorted().toList();
    }
  }

  private long largest() throws IOException {
    long largest = 0;
    for (int block = 0; block < table.blocks(); block++) {
      largest = Math.max(largest, table.entry(block).length());
    }
    return largest;
  }

  @Test
  void everyBlockIsFetchedOnce() throws IOException {
    FetchCounters first = new FetchCounters();
    RemoteStore store = new RemoteStore(root);
    assertEquals(expected, samples(store, open(PLENTY), first));
    assertEquals(6, store.fetched.size());
    assertEquals(6, first.cacheMisses.sum());
    assertEquals(6, blocks().size());
    FetchCounters second = new FetchCounters();
    RemoteStore again = new RemoteStore(root);
    assertEquals(expected, samples(again, open(PLENTY), second));
    assertEquals(List.of(), again.fetched);
    assertEquals(6, second.cacheHits.sum());
    assertEquals(0, second.cacheMisses.sum());
  }

  @Test
  void localPathsAndMemoryOnlyLeaveNoFile() throws IOException {
    ReaderOptions options = ReaderOptions.of(PLAN).withCache(ReaderOptions.Cache.of(directory, 1));
    try (RankReader reader = RankReader.open(root, new RankSpec(0, 1), options)) {
      reader.next().close();
    }
    RemoteStore store = new RemoteStore(root);
    assertEquals(expected, samples(store, null, new FetchCounters()));
    assertEquals(6, store.fetched.size());
    assertFalse(Files.exists(directory));
  }

  @Test
  void filesAreTheOwnersOnly() throws IOException {
    assertEquals(expected, samples(new RemoteStore(root), open(PLENTY), new FetchCounters()));
    assertEquals(
        "rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(directory)));
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        assertEquals(
            "rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
      }
    }
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
      // Whoever runs this owns neither; the file system itself refuses, or the check does.
      ReaderOptions.Cache cache = ReaderOptions.Cache.of(Path.of("/"), PLENTY);
      assertThrows(IOException.class, () -> BlockCache.open(cache, table, 1));
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

  /** Whatever lies under the name of a block, it is replaced, never believed. */
  @Test
  void damagedFilesAreReplaced() throws IOException {
    assertEquals(expected, samples(new RemoteStore(root), open(PLENTY), new FetchCounters()));
    Path file = blocks().get(0);
    byte[] sound = Files.readAllBytes(file);
    List<byte[]> damaged = new ArrayList<>();
    damaged.add(new byte[sound.length]);
    damaged.add(new byte[0]);
    damaged.add(Files.readAllBytes(blocks().get(1)));
    for (int cut = 1; cut <= 100; cut++) {
      damaged.add(Arrays.copyOf(sound, sound.length - cut));
    }
    for (int at = 0; at < sound.length; at += 97) {
      byte[] flipped = sound.clone();
      flipped[at] ^= (byte) (1 << at % 8);
      damaged.add(flipped);
    }
    int block = Integer.parseInt(String.valueOf(file.getFileName()).split("-", 3)[1]);
    for (byte[] bytes : damaged) {
      Files.delete(file);
      Files.write(file, bytes);
      RemoteStore store = new RemoteStore(root);
      try (BlockCache cache = open(PLENTY)) {
        BlockLayout layout = new BlockSource(store, table, cache, new FetchCounters()).open(block);
        assertEquals(table.entry(block).packs(), layout.packs());
      }
      assertEquals(1, store.fetched.size());
      assertEquals(ByteBuffer.wrap(sound), ByteBuffer.wrap(Files.readAllBytes(file)));
    }
  }

  /** F36: an evicted block that someone reads stays readable; the quota holds. */
  @Test
  void evictionLeavesMappedBlocksAlone() throws IOException {
    long quota = 2 * largest();
    BlockCache cache = open(quota);
    BlockSource source = new BlockSource(new RemoteStore(root), table, cache, new FetchCounters());
    List<BlockLayout> layouts = new ArrayList<>();
    for (int block = 0; block < table.blocks(); block++) {
      layouts.add(source.open(block));
      long bytes = 0;
      for (Path file : blocks()) {
        bytes += Files.size(file);
      }
      assertTrue(bytes <= quota, bytes + " of " + quota);
    }
    assertTrue(blocks().size() < table.blocks());
    HashSet<String> samples = new HashSet<>();
    for (BlockLayout layout : layouts) {
      for (int pack = 0; pack < layout.packs(); pack++) {
        samples.addAll(layout.sampleIds(pack));
      }
    }
    assertEquals(new HashSet<>(expected), samples);
    cache.close();
    assertEquals(expected, samples(new RemoteStore(root), open(quota), new FetchCounters()));
  }

  @Test
  void whatWasUsedLeastRecentlyGoesFirst(@TempDir Path temporary) throws IOException {
    TestDataset.writeLarge(temporary, "large", 6, 1 << 16);
    BlockTable large = DatasetIndex.open(new LocalStore(temporary), "test");
    long quota = 4 * large.entry(0).length() + 1000;
    BlockCache cache = BlockCache.open(ReaderOptions.Cache.of(directory, quota), large, 1);
    BlockSource source =
        new BlockSource(new RemoteStore(temporary), large, cache, new FetchCounters());
    for (int block = 0; block < 4; block++) {
      source.open(block);
      Files.setLastModifiedTime(cache.file(block), FileTime.fromMillis(1000 + block));
    }
    source.open(0);
    source.open(4);
    assertTrue(Files.exists(cache.file(0)), "used again");
    assertFalse(Files.exists(cache.file(1)));
    assertTrue(Files.exists(cache.file(3)));
    cache.close();
  }

  @Test
  void nothingElseIsEverDeleted() throws IOException {
    BlockCache cache = open(2 * largest());
    List<Path> foreign = new ArrayList<>();
    for (String name :
        List.of(
            "precious.txt",
            "0123456789abcdef.block",
            "0123456789abcdef-7-01234567.block.bak",
            "0123456789abcdef-7-01234567.tmp",
            "x0123456789abcdef-7-01234567.block")) {
      foreign.add(Files.write(directory.resolve(name), new byte[100_000]));
    }
    Path subdirectory =
        Files.createDirectory(directory.resolve("0123456789abcdef-9-01234567.block"));
    Path target = Files.write(directory.resolveSibling("target"), new byte[1000]);
    Path link =
        Files.createSymbolicLink(directory.resolve("0123456789abcdef-8-01234567.block"), target);
    for (Path file : foreign) {
      Files.setLastModifiedTime(file, FileTime.fromMillis(1));
    }
    assertEquals(expected, samples(new RemoteStore(root), cache, new FetchCounters()));
    for (Path file : foreign) {
      assertEquals(100_000, Files.size(file), file.toString());
    }
    assertTrue(Files.isDirectory(subdirectory) && Files.isSymbolicLink(link));
    assertEquals(1000, Files.size(target));
  }

  @Test
  void halfWrittenFilesOfKilledRanksAreRemoved() throws IOException {
    open(PLENTY).close();
    Path abandoned =
        Files.write(directory.resolve("0123456789abcdef-7-01234567.17-4711.tmp"), new byte[10]);
    open(PLENTY).close();
    assertFalse(Files.exists(abandoned));
    Files.write(abandoned, new byte[10]);
    CacheLocks locks = CacheLocks.open(directory.toRealPath().resolve("stoker-cache.lock"));
    try (var lock = locks.tryLock(BlockCache.position("0123456789abcdef", 7))) {
      assertNotNull(lock);
      open(PLENTY).close();
      assertTrue(Files.exists(abandoned), "someone is writing it");
    }
    locks.close();
  }

  /** F33: a full disk costs the cache, not the training. */
  @Test
  void fullDiskDegradesToMemory() throws IOException {
    BlockCache.Writer full =
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

  /** F33 on a real file system of 4 MB, where one can be had; else the seam has to do. */
  @Test
  void fullFileSystemDegradesToMemory(@TempDir Path temporary) throws Exception {
    Path large = Files.createDirectories(temporary.resolve("large"));
    TestDataset.writeLarge(large, "large", 12, 1 << 20);
    List<String> ids = samples(new LocalStore(large), null, new FetchCounters());
    Path mount = Files.createDirectories(temporary.resolve("mount"));
    boolean mounted = run("mount", "-t", "tmpfs", "-o", "size=4m,mode=0700", "tmpfs", mount);
    try {
      BlockTable largeTable = DatasetIndex.open(new LocalStore(large), "test");
      AtomicLongWriter limited = new AtomicLongWriter(mounted ? Long.MAX_VALUE : 4 << 20);
      BlockCache cache =
          BlockCache.open(ReaderOptions.Cache.of(mount, PLENTY), largeTable, 1, limited);
      FetchCounters counters = new FetchCounters();
      assertEquals(ids, samples(new RemoteStore(large), cache, counters));
      assertEquals(12, counters.cacheMisses.sum());
      // Room is made once for each block; the test is that training went on.
      assertTrue(counters.cacheFailures.sum() < 12);
    } finally {
      if (mounted) {
        assertTrue(run("umount", "-l", mount));
      }
    }
  }

  private static final class AtomicLongWriter implements BlockCache.Writer {
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
      BlockCache.writeDurably(file, bytes);
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
    ReaderOptions.Cache impatient = new ReaderOptions.Cache(directory, PLENTY, Duration.ZERO);
    RemoteStore store = new RemoteStore(root);
    FetchCounters counters = new FetchCounters();
    try (BlockCache cache = BlockCache.open(impatient, table, 1)) {
      BlockCache.Turn other = cache.awaitTurn(2);
      assertNotNull(other);
      BlockSource source = new BlockSource(store, table, cache, counters);
      assertEquals(4, source.open(2).packs());
      assertEquals(1, counters.cacheFailures.sum());
      assertEquals(List.of(), blocks());
      other.close();
      assertEquals(4, source.open(2).packs());
      assertEquals(1, blocks().size());
    }
  }

  @Test
  void diskThatForgetsIsFoundOut() throws IOException {
    BlockCache.Writer forgetful =
        (file, bytes) -> {
          ByteBuffer zeros = ByteBuffer.allocate(bytes.remaining());
          BlockCache.writeDurably(file, zeros);
        };
    FetchCounters counters = new FetchCounters();
    assertEquals(expected, samples(new RemoteStore(root), open(PLENTY, forgetful), counters));
    assertEquals(6, counters.cacheFailures.sum());
    assertEquals(List.of(), blocks());
  }
}
