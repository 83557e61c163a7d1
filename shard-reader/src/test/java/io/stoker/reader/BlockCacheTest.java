package io.stoker.reader;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.stoker.cache.BlockCache;
import io.stoker.cache.TestCaches;
import io.stoker.fixture.TestDataset;
import io.stoker.format.BlockLayout;
import io.stoker.index.BlockTable;
import io.stoker.plan.RankSpec;
import io.stoker.store.TestStores;
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
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class BlockCacheTest extends CacheBench {
  BlockCacheTest(@TempDir Path temporary) throws IOException {
    super(temporary);
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

  /** A damaged file under the name of a block is replaced, never believed. */
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
        BlockLayout layout = source(store, table, cache).open(table.ref(block));
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
    BlockSource source = source(new RemoteStore(root), table, cache);
    List<BlockLayout> layouts = new ArrayList<>();
    for (int block = 0; block < table.blocks(); block++) {
      layouts.add(source.open(table.ref(block)));
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
    BlockTable large = OpenDataset.index(TestStores.local(temporary), "test");
    long quota = 4 * large.entry(0).length() + 1000;
    BlockCache cache = BlockCache.open(directory, quota, Duration.ofMinutes(2), "large");
    BlockSource source = source(new RemoteStore(temporary), large, cache);
    for (int block = 0; block < 4; block++) {
      source.open(large.ref(block));
      Path file = TestCaches.file(cache, key(large, block));
      Files.setLastModifiedTime(file, FileTime.fromMillis(1000 + block));
    }
    source.open(large.ref(0));
    source.open(large.ref(4));
    assertTrue(Files.exists(TestCaches.file(cache, key(large, 0))), "used again");
    assertFalse(Files.exists(TestCaches.file(cache, key(large, 1))));
    assertTrue(Files.exists(TestCaches.file(cache, key(large, 3))));
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
}
