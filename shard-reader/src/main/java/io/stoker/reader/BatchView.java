package io.stoker.reader;

import io.stoker.format.PixelLayout;
import io.stoker.format.ShardColumn;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Batches and packs as plain numbers in shared memory, for bindings to other languages: one call
 * per batch, and no object crosses the language border, where each object, each accessor, and each
 * element of an array, would be a crossing of its own.
 *
 * <p>{@link #memory} has 64-bit integers: epoch, step, lane and packs of the batch; then for each
 * tensor its address, its number of dimensions, and its extents in three places; then, for the
 * caller to write, a number of batches that it has done with, and their slots. Addresses are valid
 * until the slot of the batch is given back in this way.
 *
 * <p>{@link #poll} and {@link #takeBack} are for the training thread, like the reader; the rest is
 * thread-safe.
 */
public final class BatchView {
  private static final long PATIENCE_NANOS = 500_000_000;
  private static final int NONE = -1;
  private static final int PLACE = 4;
  private static final int MAX_DIMENSIONS = 3;
  private static final int TENSOR = 2 + MAX_DIMENSIONS;
  private static final int RELEASED = PLACE + TENSOR * ShardColumn.TENSORS.size();
  private static final int MAX_RELEASED = 255;

  // Null after detach: a batch may outlive the reader, whose index is large.
  private volatile @Nullable RankReader reader;
  private final String[] types;
  private final ByteBuffer memory =
      ByteBuffer.allocateDirect((RELEASED + 1 + MAX_RELEASED) * Long.BYTES)
          .order(ByteOrder.nativeOrder());
  private final LongBuffer shared = memory.asLongBuffer();
  // By slot. Guarded by itself, because any thread may close a batch.
  private final List<@Nullable Batch> held = new ArrayList<>();
  private final ArrayDeque<Integer> free = new ArrayDeque<>();

  /** Views the batches of a reader. */
  public BatchView(RankReader reader) {
    this.reader = reader;
    PixelLayout pixels = reader.dataset().pixels();
    this.types =
        ShardColumn.TENSORS.stream()
            .map(column -> column.type(pixels).dtype())
            .toArray(String[]::new);
  }

  /** Where the numbers are; in the byte order of this machine. */
  public ByteBuffer memory() {
    return memory;
  }

  /** Index of the number of slots that are given back. The slots follow it. */
  public int released() {
    return RELEASED;
  }

  /** Names of the tensors. */
  public String[] names() {
    return ShardColumn.TENSORS.stream().map(column -> column.columnName()).toArray(String[]::new);
  }

  /** Element types of the tensors, as numpy calls them. */
  public String[] types() {
    return types.clone();
  }

  private RankReader reader() {
    RankReader open = reader;
    if (open == null) {
      throw new AlreadyClosedException("the reader is closed");
    }
    return open;
  }

  /** Whether there is a next batch; never waits. */
  public boolean hasNext() {
    return reader().hasNext();
  }

  /**
   * Takes back the slots that are given back, takes the next batch and shows it.
   *
   * @return the batch's slot; -1 after the last one, and if it is not ready within half a second:
   *     the caller then looks after its signals and asks again if there {@link #hasNext is one}
   * @throws UnsupportedOperationException if this JVM does not tell addresses
   * @throws AlreadyClosedException after {@link #detach}
   * @see RankReader#next
   */
  public int poll() throws IOException {
    takeBack();
    RankReader open = reader();
    Batch batch = open.hasNext() ? open.poll(PATIENCE_NANOS) : null;
    if (batch == null) {
      return NONE;
    }
    shared.put(0, numbers(batch, batch.tensors()));
    synchronized (held) {
      Integer slot = free.poll();
      if (slot == null) {
        held.add(batch);
        return held.size() - 1;
      }
      held.set(slot, batch);
      return slot;
    }
  }

  /** Takes back the slots that are given back in {@link #memory}. */
  public void takeBack() {
    int count = (int) shared.get(RELEASED);
    for (int i = 1; i <= count; i++) {
      release((int) shared.get(RELEASED + i));
    }
    if (count > 0) {
      shared.put(RELEASED, 0);
    }
  }

  /** Takes back one slot; from any thread. */
  public void release(int slot) {
    synchronized (held) {
      if (held.set(slot, null) != null) {
        free.add(slot);
      }
    }
  }

  /** Lets go of the reader. Batches that are held stay; no other can be polled. */
  public void detach() {
    reader = null;
  }

  private Batch held(int slot) {
    synchronized (held) {
      return Objects.requireNonNull(held.get(slot), "the slot was given back");
    }
  }

  /**
   * What {@link #memory} would show if the batch were this pack alone. From any thread.
   *
   * @throws UnsupportedOperationException if this JVM does not tell addresses
   */
  public long[] numbers(int slot, int pack) {
    Batch batch = held(slot);
    return numbers(batch, batch.pack(pack).tensors());
  }

  /**
   * What is shown of a batch with some tensors.
   *
   * @throws UnsupportedOperationException if this JVM does not tell addresses
   */
  private static long[] numbers(Batch batch, List<Tensor> tensors) {
    long[] numbers = new long[RELEASED];
    numbers[0] = batch.epoch();
    numbers[1] = batch.step();
    numbers[2] = batch.lane();
    numbers[3] = batch.packs();
    for (int i = 0; i < tensors.size(); i++) {
      tensors.get(i).describe(numbers, PLACE + i * TENSOR);
    }
    return numbers;
  }

  /** Ids of the samples of a batch. */
  public String[] sampleIds(int slot) {
    return held(slot).sampleIds().toArray(String[]::new);
  }

  /** Ids of the samples of a pack of a batch. */
  public String[] sampleIds(int slot, int pack) {
    return held(slot).pack(pack).sampleIds().toArray(String[]::new);
  }

  /** Whether a pack of a batch is {@link Pack#padding padding}. */
  public boolean padding(int slot, int pack) {
    return held(slot).pack(pack).padding();
  }

  /** Closes a batch; its slot, and with it the memory, is given back later. */
  public void close(int slot) {
    held(slot).close();
  }
}
