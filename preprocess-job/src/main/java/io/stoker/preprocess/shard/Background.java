package io.stoker.preprocess.shard;

import io.stoker.common.Threads;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * A thread that does one piece of work after the other for its owner. A failure is thrown when the
 * owner waits or starts the next piece. The owner may use what the work changes once {@link #await}
 * or {@link #close} has returned. Only one thread at a time may use this class.
 */
final class Background implements Closeable {
  private final ExecutorService thread;
  private Future<?> underWay = CompletableFuture.completedFuture(null);

  /** Something to do. */
  @FunctionalInterface
  interface Work {
    void run() throws IOException;
  }

  /**
   * @param name of the thread
   */
  Background(String name) {
    this.thread = Executors.newSingleThreadExecutor(task -> Threads.daemon(name, task));
  }

  /**
   * Starts work, after {@link #await}.
   *
   * @throws IOException if the work before failed; then this one is not started
   */
  void start(Work work) throws IOException {
    await();
    underWay =
        thread.submit(
            () -> {
              work.run();
              return null;
            });
  }

  /**
   * Waits until the work under way is done.
   *
   * @throws IOException if it failed, each time
   * @throws InterruptedIOException if the waiting was interrupted; the work goes on
   */
  void await() throws IOException {
    try {
      underWay.get();
    } catch (InterruptedException e) {
      InterruptedIOException interrupted = new InterruptedIOException("interrupted");
      interrupted.initCause(e);
      throw interrupted;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException failure) {
        throw failure;
      }
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      throw (Error) e.getCause();
    }
  }

  /** Whether the work before is over, so that {@link #await} does not wait. */
  boolean isIdle() {
    return underWay.isDone();
  }

  /**
   * Waits until the work under way has ended, however it ends. The work is not interrupted: an
   * interrupt could hit a request that starts or completes an upload, and then nobody would know of
   * the upload and abort it.
   */
  @Override
  public void close() {
    thread.shutdown();
    boolean interrupted = false;
    while (!thread.isTerminated()) {
      try {
        var unused = thread.awaitTermination(1, TimeUnit.DAYS);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
