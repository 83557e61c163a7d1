package io.stoker.preprocess.bench;

import java.nio.file.Path;

/**
 * Arguments: the name of a benchmark and the examples directory; or {@code photographs}, the
 * examples directory and where to write the data set of {@link JobBenchmark}.
 */
final class BenchMain {
  private static final int PICTURES = Effort.of(2048, 32);
  private static final int SAMPLES = 4 * PICTURES;

  private BenchMain() {}

  public static void main(String[] args) throws Exception {
    Path examples = Path.of(args[1]);
    if (args[0].equals("photographs")) {
      Photographs.write(examples, Path.of(args[2]), PICTURES, SAMPLES);
      return;
    }
    System.out.println(args[0] + ": medians of processor time, variants interleaved");
    switch (args[0]) {
      case "chain" -> ChainBenchmark.run(examples.resolve("images/table/coffee.jpg"));
      case "text" -> TextBenchmark.run(examples);
      case "pack" -> PackBenchmark.run();
      case "write" -> WriteBenchmark.run();
      default -> throw new IllegalArgumentException("no benchmark " + args[0]);
    }
  }
}
