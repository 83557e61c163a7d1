package io.stoker.reader;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.stoker.fixture.FakeS3;
import io.stoker.fixture.TestDataset;
import io.stoker.format.PixelLayout;
import io.stoker.index.BlockTable;
import io.stoker.plan.EpochPlan;
import io.stoker.plan.PackRange;
import io.stoker.plan.PlanSettings;
import io.stoker.plan.RankSpec;
import io.stoker.store.StoreOptions;
import io.stoker.store.TestStores;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What an epoch costs the store when two nodes with two ranks each read it: every block once. Only
 * a block whose packs fall in lanes of both nodes is fetched by both; there is at most one such
 * block for each border between nodes.
 */
@Timeout(120)
class NodeTrafficTest {
  private static final int NODES = 2;
  private static final int RANKS = 4;
  private static final int BLOCKS_PER_SHARD = 20;
  private static final int SHARDS = 10;
  private static final PlanSettings PLAN = new PlanSettings(5, 16, 1);

  private final Path temporary;
  private final FakeS3 server;

  NodeTrafficTest(@TempDir Path temporary) throws IOException {
    this.temporary = temporary;
    this.server = new FakeS3(Files.createDirectories(temporary.resolve("bucket")));
  }

  @BeforeEach
  void logIn() {
    System.setProperty("aws.accessKeyId", "id");
    System.setProperty("aws.secretAccessKey", "secret");
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
    System.clearProperty("aws.accessKeyId");
    System.clearProperty("aws.secretAccessKey");
  }

  @Test
  void equalBlocksAreFetchedExactlyOnce() throws Exception {
    assertEquals(0, blocksFetchedTwice(i -> 4));
  }

  @Test
  void onlyTheBlockAcrossTheBorderIsFetchedByBothNodes() throws Exception {
    // 1 to 7 packs, 800 together: the border after 400 packs lies inside a block.
    assertEquals(1, blocksFetchedTwice(i -> i % 2 == 0 ? 1 + i % 7 : 7 - (i - 1) % 7));
  }

  /** Reads an epoch, holds the log of the server against the plan, and says what it found. */
  private int blocksFetchedTwice(IntUnaryOperator packs) throws Exception {
    Path root = Files.createDirectories(temporary.resolve("bucket/d"));
    int[][] shards =
        IntStream.range(0, SHARDS)
            .mapToObj(
                shard ->
                    IntStream.range(shard * BLOCKS_PER_SHARD, (shard + 1) * BLOCKS_PER_SHARD)
                        .map(packs)
                        .toArray())
            .toArray(int[][]::new);
    TestDataset.write(root, "d", PixelLayout.UINT8, shards);
    BlockTable table = OpenDataset.index(TestStores.local(root), "test");
    long dataset = bytes(table, IntStream.range(0, table.blocks()).boxed().toList());
    EpochPlan plan = EpochPlan.of(table, PLAN, 0);
    assertEquals(0, plan.dropped(), "each pack is delivered");

    Set<Integer> inBoth = blocksOfNode(plan, 0);
    inBoth.retainAll(blocksOfNode(plan, 1));
    long expected = bytes(table, blocksOfNode(plan, 0)) + bytes(table, blocksOfNode(plan, 1));
    assertEquals(dataset + bytes(table, inBoth), expected, "the plan has every block");

    long delivered = readAsTwoNodes();
    assertEquals(table.dataset().counts().packs(), delivered);
    List<FakeS3.Request> requests = server.requests("d/shards/");
    long fetched = requests.stream().mapToLong(request -> length(request.range())).sum();
    System.out.printf(
        Locale.ROOT,
        "%d ranks on %d nodes fetched %d of %d bytes: x %.4f, %d of %d blocks by both nodes%n",
        RANKS,
        NODES,
        fetched,
        dataset,
        fetched / (double) dataset,
        inBoth.size(),
        table.blocks());
    assertEquals(expected, fetched);
    assertEquals(table.blocks() + inBoth.size(), requests.size());
    return inBoth.size();
  }

  private static Set<Integer> blocksOfNode(EpochPlan plan, int node) {
    Set<Integer> blocks = new HashSet<>();
    int lanes = PLAN.lanes() / NODES;
    for (int lane = node * lanes; lane < (node + 1) * lanes; lane++) {
      for (long step = 0; step < plan.steps(); step++) {
        plan.ranges(step, lane).stream().map(PackRange::block).forEach(blocks::add);
      }
    }
    return blocks;
  }

  private static long bytes(BlockTable table, Iterable<Integer> blocks) throws IOException {
    long bytes = 0;
    for (int block : blocks) {
      bytes += table.entry(block).length();
    }
    return bytes;
  }

  /** Returns the number of packs that all ranks got. */
  private long readAsTwoNodes() throws Exception {
    ExecutorService ranks = Executors.newFixedThreadPool(RANKS);
    try {
      List<Callable<Long>> work =
          IntStream.range(0, RANKS).mapToObj(rank -> (Callable<Long>) () -> read(rank)).toList();
      long packs = 0;
      for (Future<Long> result : ranks.invokeAll(work)) {
        packs += result.get();
      }
      return packs;
    } finally {
      ranks.shutdownNow();
    }
  }

  private long read(int rank) throws IOException {
    Path cache = temporary.resolve("cache-of-node-" + rank * NODES / RANKS);
    ReaderOptions options =
        ReaderOptions.of(PLAN)
            .withStore(Map.of(StoreOptions.S3_ENDPOINT, server.endpoint()))
            .withCache(ReaderOptions.Cache.of(cache, 1 << 30));
    RankSpec spec = new RankSpec(rank, RANKS);
    long packs = 0;
    try (RankReader reader = RankReader.open(URI.create("s3://bucket/d"), spec, options)) {
      while (reader.hasNext()) {
        try (Batch batch = reader.next()) {
          packs += batch.packs();
        }
      }
    }
    return packs;
  }

  /** Length of {@code bytes=FIRST-LAST}. */
  private static long length(@Nullable String range) {
    long[] ends =
        Arrays.stream(String.valueOf(range).substring("bytes=".length()).split("-"))
            .mapToLong(Long::parseLong)
            .toArray();
    return ends[1] - ends[0] + 1;
  }
}
