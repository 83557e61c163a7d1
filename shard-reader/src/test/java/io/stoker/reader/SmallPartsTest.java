package io.stoker.reader;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class SmallPartsTest {
  @Test
  void quantilesAreExactToSixPercent() {
    LatencyHistogram histogram = new LatencyHistogram();
    assertEquals(0, histogram.quantile(0.5));
    for (int i = 1; i <= 100_000; i++) {
      histogram.add(i * 10L);
    }
    for (double quantile : new double[] {0.01, 0.5, 0.9, 0.99, 1}) {
      double exact = quantile * 1_000_000;
      long found = histogram.quantile(quantile);
      assertTrue(found >= exact * 0.999 && found <= exact * 1.07, quantile + ": " + found);
    }
    histogram.add(Long.MAX_VALUE);
    assertEquals(Long.MAX_VALUE, histogram.quantile(1));
    histogram.add(-5);
  }

  private static ReaderStats stats(long wait, long train, long store, long disk, long cpu) {
    return new ReaderStats(
        2,
        wait,
        train,
        1,
        1,
        1,
        1,
        0,
        0,
        4,
        new ReaderStats.Buffered(1, 1, 10),
        new ReaderStats.Fetched(0, 0, 0, 0, 0, 0, store, disk, cpu),
        -1);
  }

  @Test
  void verdictNamesTheBottleneck() {
    assertEquals(ReaderStats.Bottleneck.TRAINER, stats(1, 999, 50, 0, 0).bottleneck());
    assertEquals(ReaderStats.Bottleneck.STORE, stats(500, 500, 50, 20, 10).bottleneck());
    assertEquals(ReaderStats.Bottleneck.DISK, stats(500, 500, 0, 20, 10).bottleneck());
    assertEquals(ReaderStats.Bottleneck.CPU, stats(500, 500, 5, 9, 10).bottleneck());
    assertEquals(0.5, stats(500, 500, 0, 0, 0).waitRatio());
    assertEquals(
        "wait ratio 0.50000, next() p50 0.0 us p99 0.0 us, 2 batches, 0.0 MiB ahead, depth 4, 0.0"
            + " MiB fetched, 0 retries, bottleneck: store",
        stats(500, 500, 5, 0, 0).summary());
    assertEquals(
        "{\"batches\":2,\"wait-ratio\":0.5,\"wait-nanos\":500,\"train-nanos\":500,"
            + "\"first-nanos\":1,\"next-p50-nanos\":1,\"next-p99-nanos\":1,\"bytes\":1,\"waits\":0,"
            + "\"gathered-batches\":0,\"prefetch-depth\":4,\"buffered-batches\":1,"
            + "\"buffered-blocks\":1,\"buffered-bytes\":10,\"fetched-bytes\":0,\"requests\":0,"
            + "\"retries\":0,\"cache-hits\":0,\"cache-misses\":0,\"cache-failures\":0,"
            + "\"store-nanos\":5,\"disk-nanos\":0,\"cpu-nanos\":0,\"major-faults\":-1,"
            + "\"bottleneck\":\"store\"}",
        stats(500, 500, 5, 0, 0).toJson());
  }
}
