package io.stoker.reader;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The batches ahead of the trainer, in the order of delivery, even if they become ready in another
 * order. Bounded by batches, blocks and bytes. One producer, one consumer; {@link #close} may come
 * from anywhere.
 *
 * <p>The bound in batches, the depth, adapts: it doubles whenever the trainer waits for a batch
 * although the queue is full, because then only more requests in flight can help. The bounds in
 * blocks and bytes never move. An empty queue accepts the next batch even if it alone exceeds them.
 */
final class BatchQueue {
  /** The queue never becomes deeper. */
  static final int MAX_DEPTH = 1 << 16;

  // Waking the producer would cost the trainer more than the rest of a delivery, because the
  // scheduler may run the producer in its place. So the producer polls while the queue has enough.
  private static final long POLL_MILLIS = 10;

  private final long maxBytes;
  private final int maxBlocks;
  private final ArrayDeque<Pending> pending = new ArrayDeque<>();
  private int depth;
  private int blocks;
  private long bytes;
  private boolean closed;
  // The trainer waits for a batch that is being made. The producer may then deepen the queue.
  private boolean starving;
  // The trainer waits and no batch is being made. A queue of depth 0 produces only then.
  private boolean asked;

  /**
   * A batch that may not be ready yet.
   *
   * @param blocks what it holds, once for each
   * @param extraBytes memory of its own
   */
  record Pending(CompletableFuture<Batch> batch, List<BlockUse> blocks, long extraBytes) {}

  /**
   * A batch for the trainer.
   *
   * @param waited whether it was not ready when it was asked for
   */
  record Taken(Batch batch, boolean waited) {}

  BatchQueue(long maxBytes, int maxBlocks, int depth) {
    this.maxBytes = maxBytes;
    this.maxBlocks = maxBlocks;
    this.depth = depth;
  }

  /**
   * Waits until the queue is less deep than it may be.
   *
   * @return false if it is closed
   */
  synchronized boolean awaitTurn() throws InterruptedException {
    while (!closed && pending.size() >= depth) {
      if (depth == 0 ? asked && pending.isEmpty() : starving && depth < MAX_DEPTH) {
        asked = false;
        starving = false;
        if (depth == 0) {
          break;
        }
        depth *= 2;
      } else {
        wait(POLL_MILLIS);
      }
    }
    return !closed;
  }

  /**
   * Waits for room for memory that the next batch needs and counts it.
   *
   * @param moreBlocks blocks, 0 for memory of the batch itself
   * @return false if the queue is closed
   */
  synchronized boolean admit(int moreBlocks, long size) throws InterruptedException {
    while (!closed
        && !pending.isEmpty()
        && (bytes + size > maxBytes || blocks + moreBlocks > maxBlocks)) {
      wait(POLL_MILLIS);
    }
    blocks += moreBlocks;
    bytes += size;
    return !closed;
  }

  /** Appends a batch whose memory has been admitted. */
  synchronized void add(Pending next) {
    if (closed) {
      next.batch.completeExceptionally(closedException());
    } else {
      pending.add(next);
      notifyAll();
    }
  }

  /**
   * Ends the production with an error, which surfaces after the batches that were produced before.
   */
  void fail(Throwable cause) {
    add(new Pending(CompletableFuture.failedFuture(cause), List.of(), 0));
  }

  /** Gives up one hold on a block; the last one makes room. */
  synchronized void release(BlockUse block) {
    if (block.release()) {
      blocks--;
      bytes -= block.bytes();
    }
  }

  /**
   * Waits for the next batch.
   *
   * @param patience how long, in nanoseconds
   * @return null if it is not ready by then
   * @throws IOException what the producer failed with, again at every call
   * @throws AlreadyClosedException if the queue is closed
   */
  @Nullable Taken poll(long patience) throws IOException, InterruptedException {
    Pending head;
    long deadline;
    synchronized (this) {
      head = pending.peek();
      if (head != null && isReady(head)) {
        // The usual case must touch as little memory as possible.
        Batch batch = head.batch.join();
        remove(head);
        return new Taken(batch, false);
      }
      deadline = deadline(patience);
      while (!closed && pending.isEmpty()) {
        long left = deadline - System.nanoTime();
        if (left <= 0) {
          return null;
        }
        asked = true;
        notifyAll();
        TimeUnit.NANOSECONDS.timedWait(this, left);
      }
      asked = false;
      if (closed) {
        throw closedException();
      }
      head = pending.element();
      if (!head.batch.isDone()) {
        starving = true;
        notifyAll();
      }
    }
    try {
      Batch batch = head.batch.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
      remove(head);
      return new Taken(batch, true);
    } catch (TimeoutException e) {
      return null;
    } catch (ExecutionException e) {
      throw failure(e);
    }
  }

  private static boolean isReady(Pending head) {
    return head.batch.isDone() && !head.batch.isCompletedExceptionally();
  }

  /** The time of {@link System#nanoTime} at which patience ends. */
  private static long deadline(long patience) {
    long now = System.nanoTime();
    return now + Math.min(patience, Long.MAX_VALUE - Math.max(0, now));
  }

  private synchronized void remove(Pending head) {
    starving = false;
    asked = false;
    if (closed) {
      return;
    }
    pending.remove();
    for (BlockUse block : head.blocks) {
      release(block);
    }
    bytes -= head.extraBytes;
    if (pending.size() <= 1) {
      notifyAll();
    }
  }

  private static IOException failure(ExecutionException e) {
    Throwable cause = e.getCause();
    if (cause instanceof AlreadyClosedException closed) {
      throw closed;
    }
    return cause instanceof IOException io
        ? io
        : new IOException("the prefetch thread died: " + cause, cause);
  }

  private static AlreadyClosedException closedException() {
    return new AlreadyClosedException("the reader is closed");
  }

  /** What is ahead of the trainer. */
  synchronized ReaderStats.Buffered buffered() {
    return new ReaderStats.Buffered(pending.size(), blocks, bytes);
  }

  /** Batches the producer may be ahead. */
  synchronized int depth() {
    return depth;
  }

  /** Wakes both sides. No batch passes after that. */
  synchronized void close() {
    closed = true;
    for (Pending next : pending) {
      next.batch.completeExceptionally(closedException());
    }
    pending.clear();
    blocks = 0;
    bytes = 0;
    notifyAll();
  }
}
