package io.stoker.preprocess.bench.ladder;

import io.stoker.preprocess.bench.Effort;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/**
 * Rung 2: batches are prefetched by worker processes, so that the step only waits if they are late;
 * every tensor is serialised, sent and copied on its way.
 */
final class WorkerFeed implements Feed {
  private static final int WORKERS = 2;
  private static final int AHEAD = 2;

  private final int batch;
  private final List<Process> workers = new ArrayList<>();
  private final List<BlockingQueue<byte[][]>> queues = new ArrayList<>();
  private int turn;

  WorkerFeed(String endpoint, String bucket, int batch) throws IOException {
    this.batch = batch;
    for (int worker = 0; worker < WORKERS; worker++) {
      Process process =
          new ProcessBuilder(
                  System.getProperty("java.home") + "/bin/java",
                  "-Xmx512m",
                  Effort.flag(),
                  "--add-modules",
                  "jdk.incubator.vector",
                  "-cp",
                  System.getProperty("java.class.path"),
                  WorkerMain.class.getName(),
                  endpoint,
                  bucket,
                  Integer.toString(batch),
                  Integer.toString(worker),
                  Integer.toString(WORKERS))
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      workers.add(process);
      BlockingQueue<byte[][]> queue = new ArrayBlockingQueue<>(AHEAD);
      queues.add(queue);
      Thread thread = new Thread(() -> receive(process, queue), "ladder-receive");
      thread.setDaemon(true);
      thread.start();
    }
  }

  private void receive(Process process, BlockingQueue<byte[][]> queue) {
    try (DataInputStream in =
        new DataInputStream(new BufferedInputStream(process.getInputStream(), 1 << 20))) {
      while (true) {
        byte[][] tensors = new byte[batch][];
        for (int i = 0; i < batch; i++) {
          tensors[i] = new byte[in.readInt()];
          in.readFully(tensors[i]);
        }
        queue.put(tensors);
      }
    } catch (IOException e) {
      // The worker was ended.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public int next() throws InterruptedException {
    byte[][] tensors = queues.get(turn).take();
    turn = (turn + 1) % WORKERS;
    return tensors.length;
  }

  @Override
  public void close() {
    workers.forEach(Process::destroyForcibly);
  }
}
