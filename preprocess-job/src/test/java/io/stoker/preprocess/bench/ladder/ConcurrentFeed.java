package io.stoker.preprocess.bench.ladder;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Rung 1: the pictures of a batch are fetched at the same time, still in the step. */
final class ConcurrentFeed implements Feed {
  private final SampleMaker maker;
  private final int batch;
  private final ExecutorService threads;
  private int position;

  ConcurrentFeed(SampleMaker maker, int batch, int start) {
    this.maker = maker;
    this.batch = batch;
    this.position = start;
    this.threads = Executors.newFixedThreadPool(batch);
  }

  /** The tensors of the next batch. */
  List<byte[]> make() throws Exception {
    List<Future<byte[]>> fetches = new ArrayList<>();
    for (int i = 0; i < batch; i++) {
      int sample = position++;
      fetches.add(threads.submit(() -> maker.fetch(sample)));
    }
    List<byte[]> tensors = new ArrayList<>();
    for (Future<byte[]> fetch : fetches) {
      tensors.add(maker.process(fetch.get()));
    }
    return tensors;
  }

  /** Leaves out batches that other feeds make. */
  void skip(int batches) {
    position += batches * batch;
  }

  @Override
  public int next() throws Exception {
    return make().size();
  }

  @Override
  public void close() {
    threads.shutdownNow();
    maker.close();
  }
}
