package io.stoker.preprocess.bench;

import io.stoker.format.PixelLayout;
import io.stoker.preprocess.shard.BlockBuilder;
import io.stoker.preprocess.shard.ShardWriter;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;

/** Writing a shard of 8 MiB blocks against writing as many plain bytes to a file. */
final class WriteBenchmark {
  private static final int BLOCKS = 32;
  private static final int PATCHES = 10_000;
  private static final int ROUNDS = Effort.of(8, 1);

  private WriteBenchmark() {}

  static void run() throws Exception {
    BenchTable table = new BenchTable("write");
    Path shard = Files.createTempFile("stoker-bench", ".arrow");
    Path plain = Files.createTempFile("stoker-bench", ".bin");
    try {
      byte[] pixels = new byte[PATCHES * 768];
      new Random(1).nextBytes(pixels);
      BlockBuilder block = new BlockBuilder(PixelLayout.UINT8);
      Map<String, Double> medians =
          new Interleaved()
              .variant("plain", () -> plain(plain, pixels))
              .variant("shard", () -> shard(shard, pixels, block))
              .run(ROUNDS);
      double mib = Files.size(shard) / (double) (1 << 20);
      table.add("246 MB shard", "plain write", mib / medians.get("plain") * 1000, "MiB/s");
      table.add("246 MB shard", "shard write", mib / medians.get("shard") * 1000, "MiB/s");
      table.add(
          "246 MB shard", "shard / plain write", medians.get("shard") / medians.get("plain"), "x");
    } finally {
      Files.delete(shard);
      Files.delete(plain);
    }
    table.write();
  }

  private static void plain(Path file, byte[] pixels) throws Exception {
    try (OutputStream out = Files.newOutputStream(file)) {
      for (int i = 0; i < BLOCKS; i++) {
        out.write(pixels);
      }
    }
  }

  private static void shard(Path file, byte[] pixels, BlockBuilder block) throws Exception {
    long[] ids = new long[PATCHES / 4 + 20];
    Arrays.fill(ids, 151_655);
    long[] positions = new long[3 * ids.length];
    try (OutputStream out = Files.newOutputStream(file)) {
      ShardWriter writer = new ShardWriter(out, "0123456789abcdef", PixelLayout.UINT8);
      for (int i = 0; i < BLOCKS; i++) {
        block.reset();
        int at = block.reservePatches(PATCHES);
        // This copy stands for the resize kernel, which writes here in a job.
        System.arraycopy(pixels, 0, block.pixels(), at, pixels.length);
        block.addSegment("sample", ids, ids, positions, new int[] {1, 100, PATCHES / 100});
        block.endPack();
        writer.writeBlock(block);
      }
      writer.finish("shards/bench.arrow");
    }
  }
}
