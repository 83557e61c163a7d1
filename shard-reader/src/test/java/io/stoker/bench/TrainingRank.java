package io.stoker.bench;

import io.stoker.plan.PlanSettings;
import io.stoker.plan.RankSpec;
import io.stoker.reader.Batch;
import io.stoker.reader.RankReader;
import io.stoker.reader.ReaderOptions;
import io.stoker.store.StoreOptions;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A rank with a training step of a given length, in a process of its own. Prints one line.
 *
 * <p>Arguments: URL of the S3 server, rank, number of ranks, whether to prefetch, milliseconds of a
 * step, number of epochs.
 */
final class TrainingRank {
  private static final int PAGE = 4096;
  private static final int START_STEPS = 20;

  private TrainingRank() {}

  public static void main(String[] args) throws Exception {
    int ranks = Integer.parseInt(args[2]);
    RankSpec rank = new RankSpec(Integer.parseInt(args[1]), ranks);
    boolean prefetch = Boolean.parseBoolean(args[3]);
    long stepMillis = Long.parseLong(args[4]);
    ReaderOptions options =
        ReaderOptions.of(new PlanSettings(1, ranks, 1))
            .withEpochs(Integer.parseInt(args[5]))
            .withPrefetch(prefetch ? ReaderOptions.Prefetch.DEFAULT : ReaderOptions.Prefetch.OFF)
            .withStore(Map.of(StoreOptions.S3_ENDPOINT, args[0]));
    List<Long> times = new ArrayList<>();
    try (RankReader reader = RankReader.open(URI.create("s3://bucket/d"), rank, options)) {
      while (reader.hasNext()) {
        long start = System.nanoTime();
        try (Batch batch = reader.next()) {
          times.add(System.nanoTime() - start);
          touch(batch);
          Thread.sleep(stepMillis);
        }
      }
      System.out.printf(
          Locale.ROOT,
          "rank %d: %s; waited after the first batch: %.1f ms in steps 1-%d, %.1f ms later, longest"
              + " %.1f ms%n",
          rank.rank(),
          reader.stats().summary(),
          millis(times.subList(1, START_STEPS)),
          START_STEPS - 1,
          millis(times.subList(START_STEPS, times.size())),
          times.subList(1, times.size()).stream().mapToLong(t -> t).max().orElse(0) / 1e6);
    }
  }

  private static double millis(List<Long> times) {
    return times.stream().mapToLong(Long::longValue).sum() / 1e6;
  }

  /** A transfer to the accelerator reads every page. */
  static void touch(Batch batch) {
    int sum = 0;
    for (var tensor : batch.tensors()) {
      ByteBuffer data = tensor.data();
      for (int at = 0; at < data.limit(); at += PAGE) {
        sum += data.get(at);
      }
    }
    if (sum == Integer.MIN_VALUE) {
      System.out.println(); // So that the reads are not optimised away.
    }
  }
}
