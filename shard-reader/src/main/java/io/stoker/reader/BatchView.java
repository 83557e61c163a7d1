package io.stoker.reader;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Batches and packs as plain numbers in shared memory, for bindings to other languages: one call
 * per batch, and no object crosses the language border but the batch itself, where each accessor,
 * and each element of an array, would be a crossing of its own.
 *
 * <p>{@link #memory} has 64-bit integers: epoch, step, lane and packs of the batch; then for each
 * tensor its address, its number of dimensions, and its extents in three places. Addresses are
 * valid for as long as the batch is reachable.
 *
 * <p>For the training thread, like its reader.
 */
public final class BatchView {
  private static final long PATIENCE_NANOS = 500_000_000;
  private static final int PLACE = 4;
  private static final int MAX_DIMENSIONS = 3;
  private static final int TENSOR = 2 + MAX_DIMENSIONS;

  private final RankReader reader;
  // Collected here and copied at once: in the first steps this still runs interpreted, where each
  // access to a buffer is a dozen calls.
  private final long[] numbers = new long[PLACE + TENSOR * PackExtent.TENSORS.size()];
  private final ByteBuffer memory =
      ByteBuffer.allocateDirect(numbers.length * Long.BYTES).order(ByteOrder.nativeOrder());
  private final LongBuffer shared = memory.asLongBuffer();

  /** Views the batches of a reader. */
  public BatchView(RankReader reader) {
    this.reader = reader;
  }

  /** Where the numbers are; in the byte order of this machine. */
  public ByteBuffer memory() {
    return memory;
  }

  /** Names of the tensors. */
  public String[] names() {
    return PackExtent.TENSORS.stream().map(column -> column.columnName()).toArray(String[]::new);
  }

  /** Element types of the tensors, as numpy calls them. */
  public String[] types() {
    return PackExtent.TENSORS.stream()
        .map(column -> PackExtent.type(column, reader.dataset().pixels()).dtype())
        .toArray(String[]::new);
  }

  /** Whether there is a next batch; never waits. */
  public boolean hasNext() {
    return reader.hasNext();
  }

  /**
   * Takes the next batch and shows it.
   *
   * @return the batch; null after the last one, and if it is not ready within half a second: the
   *     caller then looks after its signals and asks again if there {@link #hasNext is one}
   * @throws UnsupportedOperationException if this JVM does not tell addresses
   * @see RankReader#next
   */
  public @Nullable Batch poll() throws IOException {
    Batch batch = reader.hasNext() ? reader.poll(PATIENCE_NANOS) : null;
    if (batch != null) {
      numbers[0] = batch.epoch();
      numbers[1] = batch.step();
      numbers[2] = batch.lane();
      numbers[3] = batch.packs();
      show(batch.tensors());
    }
    return batch;
  }

  /**
   * Shows the tensors of a pack.
   *
   * @throws UnsupportedOperationException if this JVM does not tell addresses
   */
  public void show(Pack pack) {
    show(pack.tensors());
  }

  private void show(List<Tensor> tensors) {
    for (int i = 0; i < tensors.size(); i++) {
      tensors.get(i).describe(numbers, PLACE + i * TENSOR);
    }
    shared.put(0, numbers);
  }
}
