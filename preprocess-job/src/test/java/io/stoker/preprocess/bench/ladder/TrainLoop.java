package io.stoker.preprocess.bench.ladder;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/**
 * A trainer: takes a batch, then computes for a while, during which its host only waits.
 *
 * @param feed where batches come from
 * @param warmUp steps that are not counted
 * @param steps counted steps
 * @param stepNanos length of the computation
 */
record TrainLoop(Feed feed, int warmUp, int steps, long stepNanos)
    implements Callable<List<TrainLoop.Step>> {
  /** One step. */
  record Step(int samples, long waitNanos, long trainNanos) {}

  @Override
  public List<Step> call() throws Exception {
    List<Step> result = new ArrayList<>();
    for (int step = 0; step < warmUp + steps; step++) {
      long start = System.nanoTime();
      int samples = feed.next();
      long ready = System.nanoTime();
      TimeUnit.NANOSECONDS.sleep(stepNanos);
      if (step >= warmUp) {
        result.add(new Step(samples, ready - start, System.nanoTime() - ready));
      }
    }
    return result;
  }
}
