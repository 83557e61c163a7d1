package io.stoker.preprocess.bench.ladder;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/**
 * Rung 3: the same prefetching by threads of the trainer's own process, which hand tensors over by
 * reference: nothing is serialised or copied.
 */
final class ThreadFeed implements Feed {
  private static final int WORKERS = 2;
  private static final int AHEAD = 2;

  private final List<ConcurrentFeed> makers = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  private final List<BlockingQueue<List<byte[]>>> queues = new ArrayList<>();
  private int turn;

  ThreadFeed(String endpoint, String bucket, int batch) {
    for (int worker = 0; worker < WORKERS; worker++) {
      ConcurrentFeed maker =
          new ConcurrentFeed(new SampleMaker(endpoint, bucket), batch, worker * batch);
      BlockingQueue<List<byte[]>> queue = new ArrayBlockingQueue<>(AHEAD);
      Thread thread = new Thread(() -> make(maker, queue), "ladder-prefetch");
      thread.setDaemon(true);
      makers.add(maker);
      queues.add(queue);
      threads.add(thread);
      thread.start();
    }
  }

  private static void make(ConcurrentFeed maker, BlockingQueue<List<byte[]>> queue) {
    try {
      while (true) {
        queue.put(maker.make());
        maker.skip(WORKERS - 1);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public int next() throws InterruptedException {
    List<byte[]> tensors = queues.get(turn).take();
    turn = (turn + 1) % WORKERS;
    return tensors.size();
  }

  @Override
  public void close() throws InterruptedException {
    for (Thread thread : threads) {
      thread.interrupt();
      thread.join();
    }
    makers.forEach(ConcurrentFeed::close);
  }
}
