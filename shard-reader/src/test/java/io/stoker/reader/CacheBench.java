package io.stoker.reader;

import io.stoker.fixture.TestDataset;
import io.stoker.format.PixelLayout;
import io.stoker.index.BlockTable;
import io.stoker.plan.PlanSettings;
import io.stoker.plan.RankSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

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
    this.table = DatasetIndex.open(new LocalStore(root), "test");
    this.expected = samples(new LocalStore(root), null, new FetchCounters());
  }

  BlockCache open(long maxBytes) throws IOException {
    return open(maxBytes, BlockCache::writeDurably);
  }

  BlockCache open(long maxBytes, BlockCache.Writer writer) throws IOException {
    return BlockCache.open(ReaderOptions.Cache.of(directory, maxBytes), table, 1, writer);
  }

  static List<String> samples(
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

  List<Path> blocks() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(file -> file.toString().endsWith(".block")).sorted().toList();
    }
  }

  long largest() throws IOException {
    long largest = 0;
    for (int block = 0; block < table.blocks(); block++) {
      largest = Math.max(largest, table.entry(block).length());
    }
    return largest;
  }
}
