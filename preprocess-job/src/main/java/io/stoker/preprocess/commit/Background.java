package io.stoker.preprocess.commit;

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
 * A thread that does one piece of work after the other for its owner, who hears of a failure when
 * asking for the next one. What the work changes may be used after {@link #await} and after {@link
 * #close}. To be used by one thread.
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
    this.thread =
        Executors.newSingleThreadExecutor(
            task -> {
              Thread created = new Thread(task, name);
              created.setDaemon(true);
              return created;
            });
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
      if (e.getCause() instanceof Error error) {
        throw error;
      }
      throw new IllegalStateException("work in the background failed", e.getCause());
    }
  }

  /** Interrupts the work under way and waits until it has ended, however it does. */
  @Override
  public void close() {
    thread.shutdownNow();
    boolean interrupted = false;
    while (!thread.isTerminated()) {
      try {
        // What it works on must not be taken away under it.
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
