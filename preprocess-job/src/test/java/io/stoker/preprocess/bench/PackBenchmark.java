package io.stoker.preprocess.bench;

import io.stoker.preprocess.pack.PackSettings;
import io.stoker.preprocess.pack.Packer;
import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.ToIntFunction;

/** How much of the packs' room tokens fill, over the lengths of real mixtures and windows. */
final class PackBenchmark {
  private static final int SAMPLES = Effort.of(100_000, 10_000);
  private static final int MAX_TOKENS = 4096;
  private static final long SEED = 20_26;

  private PackBenchmark() {}

  static void run() throws IOException {
    BenchTable table = new BenchTable("pack");
    for (int window : new int[] {64, 128, 256, 512, 1024, 4096}) {
      measure(table, "captions, 640x480 photos", window, PackBenchmark::captions);
      measure(table, "mixture with text and pages", window, PackBenchmark::mixture);
      measure(table, "large pictures", window, PackBenchmark::large);
    }
    table.write();
  }

  private static int captions(Random random) {
    return 240 + random.nextInt(80) + (int) Math.abs(40 * random.nextGaussian());
  }

  private static int mixture(Random random) {
    int kind = random.nextInt(10);
    if (kind < 2) {
      return 20 + random.nextInt(400);
    }
    return kind < 9 ? 150 + random.nextInt(1000) : 1500 + random.nextInt(2000);
  }

  private static int large(Random random) {
    return 1200 + random.nextInt(1600);
  }

  private static void measure(
      BenchTable table, String name, int window, ToIntFunction<Random> lengths) {
    Random random = new Random(SEED);
    Packer<Integer> packer =
        new Packer<>(new PackSettings(true, MAX_TOKENS, window, Long.MAX_VALUE));
    long tokens = 0;
    long packs = 0;
    for (int i = 0; i < SAMPLES; i++) {
      int length = lengths.applyAsInt(random);
      tokens += length;
      packs += packer.add(i, length, 1).size();
    }
    Iterator<List<Integer>> rest = packer.finish();
    while (rest.hasNext()) {
      rest.next();
      packs++;
    }
    table.add(
        name,
        String.format(Locale.ROOT, "not padding, window %d", window),
        (double) tokens / (packs * MAX_TOKENS),
        "");
  }
}
