package io.stoker.bench;

import com.sun.management.OperatingSystemMXBean;
import io.stoker.fixture.TestDataset;
import io.stoker.format.PixelLayout;
import io.stoker.index.BlockEntry;
import io.stoker.index.BlockTable;
import io.stoker.index.BlockTableFile;
import io.stoker.index.BlockTableWriter;
import io.stoker.index.Dataset;
import io.stoker.index.DatasetCounts;
import io.stoker.index.ShardEntry;
import io.stoker.plan.EpochPlan;
import io.stoker.plan.PackRange;
import io.stoker.plan.PlanSettings;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * How long it takes to plan an epoch of a large dataset, and how much memory. One process writes
 * the block table, then others, each fresh as a rank is, map it and plan: the first plan of a
 * process is the one that a start or a resume waits for.
 *
 * <p>Usage: {@code PlanBenchmark [BLOCKS [PROCESSES]]}, by default 15,000,000 blocks (a thousand
 * million samples of 67 per block) and 5 processes. Needs 52 bytes of disk per block.
 */
public final class PlanBenchmark {
  private static final boolean SHORT = Boolean.getBoolean("stoker.bench.short");
  private static final int BLOCKS_PER_SHARD = 100;
  private static final long BLOCK_BYTES = 1 << 20;
  private static final int EPOCHS = 3;
  private static final int LOOKUPS = 100_000;
  private static final PlanSettings SETTINGS = new PlanSettings(7, 4096, 1);

  private final Path file;
  private final int blocks;
  private final PrintStream out;

  private PlanBenchmark(Path file, int blocks, PrintStream out) {
    this.file = file;
    this.blocks = blocks;
    this.out = out;
  }

  public static void main(String[] args) throws IOException, InterruptedException {
    int blocks = args.length > 0 ? Integer.parseInt(args[0]) : SHORT ? 15_000 : 15_000_000;
    if (args.length == 3) {
      PlanBenchmark child = new PlanBenchmark(Path.of(args[2]), blocks, System.out);
      if (args[1].equals("write")) {
        child.write();
      } else {
        child.measure();
      }
      return;
    }
    int processes = args.length > 1 ? Integer.parseInt(args[1]) : SHORT ? 1 : 5;
    Path file = Files.createTempFile("stoker-plan", ".arrow");
    try {
      run("-Xmx6g", blocks, "write", file);
      for (int i = 0; i < processes; i++) {
        run("-Xmx64m", blocks, "measure", file);
      }
    } finally {
      Files.delete(file);
    }
  }

  private static void run(String heap, int blocks, String role, Path file)
      throws IOException, InterruptedException {
    int status =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                heap,
                "-cp",
                System.getProperty("java.class.path"),
                PlanBenchmark.class.getName(),
                Integer.toString(blocks),
                role,
                file.toString())
            .inheritIO()
            .start()
            .waitFor();
    if (status != 0) {
      throw new IOException(role + " ended with status " + status);
    }
  }

  /** The packs of a block: 1 to 16, without a pattern. */
  private static int packs(int block) {
    return 1 + ((block * 0x9E3779B9) >>> 28);
  }

  private void write() throws IOException {
    BlockTableWriter table = new BlockTableWriter("bench");
    for (int block = 0; block < blocks; block++) {
      int packs = packs(block);
      long offset = block % BLOCKS_PER_SHARD * BLOCK_BYTES;
      table.add(
          block / BLOCKS_PER_SHARD, new BlockEntry(offset, BLOCK_BYTES, packs, packs, packs, 0, 0));
    }
    try (OutputStream stream = new BufferedOutputStream(Files.newOutputStream(file), 1 << 20)) {
      table.writeTo(stream, "blocks.arrow");
    }
  }

  private void measure() throws IOException {
    BlockTable table = map();
    StringBuilder seconds = new StringBuilder();
    EpochPlan plan = null;
    for (int epoch = 0; epoch < EPOCHS; epoch++) {
      long start = System.nanoTime();
      long cpu = cpuNanos();
      plan = EpochPlan.of(table, SETTINGS, epoch);
      seconds.append(
          String.format(
              Locale.ROOT,
              " %.3f (%.3f)",
              (System.nanoTime() - start) / 1e9,
              (cpuNanos() - cpu) / 1e9));
    }
    long rss = rssKib();
    long start = System.nanoTime();
    long found = lookUp(plan);
    double lookUp = (System.nanoTime() - start) / 1e3 / LOOKUPS;
    out.printf(
        Locale.ROOT,
        "blocks %,d packs %,d steps %,d: plan s (cpu s)%s, peak RSS %d MiB;"
            + " step and lane to pack and back"
            + " %.2f us (%d)%n",
        blocks,
        plan.packs(),
        plan.steps(),
        seconds,
        rss >> 10,
        lookUp,
        found);
  }

  private static long lookUp(EpochPlan plan) {
    Random random = new Random(3);
    long found = 0;
    for (int i = 0; i < LOOKUPS; i++) {
      long step = random.nextLong(plan.steps());
      PackRange range = plan.ranges(step, random.nextInt(SETTINGS.lanes())).get(0);
      found += plan.deliveries(range.block(), range.first()).get(0).step() == step ? 1 : 0;
    }
    return found;
  }

  private BlockTable map() throws IOException {
    long packs = IntStream.range(0, blocks).mapToLong(PlanBenchmark::packs).sum();
    ShardEntry shard = new ShardEntry("shards/0.arrow", BLOCKS_PER_SHARD * BLOCK_BYTES, 0, blocks);
    Dataset dataset =
        Dataset.of(
            "bench",
            "bench",
            DatasetCounts.of(packs, packs, packs, packs, 0, Map.of()),
            PixelLayout.UINT8,
            TestDataset.valueTable(),
            Map.of(),
            Map.of(),
            new BlockTableFile("blocks.arrow", Files.size(file), 0),
            List.of(shard));
    try (FileChannel channel = FileChannel.open(file)) {
      ByteBuffer bytes = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size());
      return BlockTable.open(dataset, bytes);
    }
  }

  private static long cpuNanos() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
  }

  /** The most memory this process has had resident, as Linux counts it; mapped pages included. */
  private static long rssKib() throws IOException {
    try (Stream<String> lines = Files.lines(Path.of("/proc/self/status"))) {
      return lines
          .filter(line -> line.startsWith("VmHWM:"))
          .map(line -> Long.parseLong(line.replaceAll("\\D", "")))
          .max(Comparator.naturalOrder())
          .orElse(-1L);
    }
  }
}
