package io.stoker.cli;

import io.stoker.plan.RankSpec;
import io.stoker.reader.Batch;
import io.stoker.reader.RankReader;
import io.stoker.reader.ReaderOptions;
import io.stoker.reader.Tensor;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;

/**
 * A rank whose training step reads every byte of its batch once and then waits, as a host does
 * while its accelerator computes.
 *
 * @param dataset dataset directory
 * @param rank which rank
 * @param options how to read
 * @param step length of one forward and backward pass
 */
record SimulatedRank(URI dataset, RankSpec rank, ReaderOptions options, Duration step)
    implements Callable<SimulatedRank.Result> {
  private static final List<String> TENSORS =
      List.of(
          "input_ids", "labels", "position_ids", "cu_seqlens", "pixel_values", "image_grid_thw");

  /**
   * What a rank saw.
   *
   * @param batches batches taken
   * @param bytes bytes of their tensors
   * @param samples samples in them
   * @param firstNanos from opening the dataset to the first batch
   * @param waitNanos time in {@code next()} and {@code close()}, the first batch left out
   * @param trainNanos time in the step, the first batch left out
   */
  record Result(
      long batches, long bytes, long samples, long firstNanos, long waitNanos, long trainNanos) {
    Result plus(Result other) {
      return new Result(
          batches + other.batches,
          bytes + other.bytes,
          samples + other.samples,
          Math.max(firstNanos, other.firstNanos),
          waitNanos + other.waitNanos,
          trainNanos + other.trainNanos);
    }

    /** Wait / (wait + train): the share of time in which an accelerator would stand still. */
    double waitRatio() {
      long total = waitNanos + trainNanos;
      return total == 0 ? 0 : (double) waitNanos / total;
    }
  }

  @Override
  public Result call() throws IOException, InterruptedException {
    long opened = System.nanoTime();
    Result result = new Result(0, 0, 0, 0, 0, 0);
    try (RankReader reader = RankReader.open(dataset, rank, options)) {
      while (reader.hasNext()) {
        long before = System.nanoTime();
        try (Batch batch = reader.next()) {
          long taken = System.nanoTime();
          train(batch, taken);
          long trained = System.nanoTime();
          boolean first = result.batches() == 0;
          result =
              result.plus(
                  new Result(
                      1,
                      batch.bytes(),
                      batch.sampleIds().size(),
                      first ? taken - opened : 0,
                      first ? 0 : taken - before,
                      first ? 0 : trained - taken));
        }
      }
    }
    return result;
  }

  private void train(Batch batch, long start) throws InterruptedException {
    CRC32C everyByte = new CRC32C();
    for (int pack = 0; pack < batch.packs(); pack++) {
      for (String name : TENSORS) {
        Tensor tensor = batch.pack(pack).tensor(name);
        everyByte.update(tensor.data());
      }
    }
    long left = step.toNanos() - (System.nanoTime() - start);
    if (left > 0) {
      TimeUnit.NANOSECONDS.sleep(left);
    }
  }
}
