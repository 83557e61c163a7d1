package io.stoker.reader;

import io.stoker.cache.BlockCache;
import io.stoker.cache.TestCaches;
import io.stoker.fixture.TestDataset;
import io.stoker.format.PixelLayout;
import io.stoker.index.BlockEntry;
import io.stoker.index.BlockTable;
import io.stoker.plan.PlanSettings;
import io.stoker.plan.RankSpec;
import io.stoker.store.DatasetStore;
import io.stoker.store.TestStores;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A dataset of six blocks, and a cache directory that does not exist yet. */
abstract class CacheBench {
  static final PlanSettings PLAN = new PlanSettings(3, 1, 1);
  static final long PLENTY = 1 << 30;

  final Path root;
  final Path directory;
  final BlockTable table;
  final List<String> expected;

  CacheBench(Path temporary) throws IOException {
    this.root = Files.createDirectories(temporary.resolve("dataset"));
    this.directory = temporary.resolve("parent/cache");
    TestDataset.write(root, "d", PixelLayout.UINT8, new int[] {3, 2, 4}, new int[] {1, 5, 2});
    this.table = OpenDataset.index(TestStores.local(root), "test");
    this.expected = samples(TestStores.local(root), null, new FetchCounters());
  }

  BlockCache open(long maxBytes) throws IOException {
    return open(maxBytes, TestCaches::writeDurably);
  }

  BlockCache open(long maxBytes, TestCaches.Disk disk) throws IOException {
    return TestCaches.open(directory, maxBytes, table.dataset().datasetId(), disk);
  }

  static List<String> samples(
      DatasetStore store, @Nullable BlockCache cache, FetchCounters counters) throws IOException {
    BlockTable table = OpenDataset.index(store, "test");
    List<String> samples = new ArrayList<>();
    try (RankReader reader =
        RankReader.open(
            new ReaderResources(new OpenDataset(store, table, counters), cache),
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

  List<Path> blocks() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(file -> file.toString().endsWith(".block")).sorted().toList();
    }
  }

  static BlockSource source(DatasetStore store, BlockTable table, BlockCache cache) {
    return new BlockSource(new OpenDataset(store, table, new FetchCounters()), cache);
  }

  static BlockCache.Key key(BlockTable table, int block) throws IOException {
    BlockEntry entry = table.entry(block);
    return new BlockCache.Key(block, entry.length(), entry.crc32c());
  }

  long largest() throws IOException {
    long largest = 0;
    for (int block = 0; block < table.blocks(); block++) {
      largest = Math.max(largest, table.entry(block).length());
    }
    return largest;
  }
}
