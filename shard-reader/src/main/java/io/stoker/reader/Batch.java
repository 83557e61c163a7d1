package io.stoker.reader;

import io.stoker.format.ShardColumn;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * One micro-batch of one lane at one step: what one forward pass takes. Thread-safe.
 *
 * <p>{@link #tensor} gives the packs of the micro-batch as one longer pack, in the order of the
 * plan: what a forward pass with variable-length attention takes. If the packs lie in one block,
 * all but two of the tensors are slices of it; with more than one pack {@code cu_seqlens} is moved
 * by the tokens before each pack and {@code position_ids} is regrouped by axis. If they span
 * blocks, all are gathered. The prefetcher has done so before {@link RankReader#next} returns.
 * {@link #pack} gives each pack as it is stored, always without a copy: for a trainer that pads.
 */
public final class Batch implements AutoCloseable {
  private final long epoch;
  private final long step;
  private final int lane;
  private final MicroBatch content;
  private final LongConsumer onClose;
  private final List<Pack> packs;
  private final List<Tensor> tensors;
  private final long bytes;
  private final BatchLife life;

  /**
   * Takes what was prepared.
   *
   * @param onClose told, at the first close, when that began, in the time of {@link
   *     System#nanoTime}
   */
  Batch(long epoch, long step, int lane, MicroBatch content, LongConsumer onClose) {
    this.epoch = epoch;
    this.step = step;
    this.lane = lane;
    this.content = content;
    this.onClose = onClose;
    this.bytes = content.bytes();
    this.life = new BatchLife(step, lane);
    List<Pack> views = new ArrayList<>();
    for (MicroBatch.Part part : content.parts()) {
      part.packs()
          .forEach(pack -> views.add(new Pack(life, part.block(), pack, part.labels(pack))));
    }
    this.packs = List.copyOf(views);
    List<Tensor> columns = new ArrayList<>();
    for (int i = 0; i < ShardColumn.TENSORS.size(); i++) {
      ShardColumn column = ShardColumn.TENSORS.get(i);
      columns.add(new Tensor(life, column, content.data().get(i), content.pixels()));
    }
    this.tensors = List.copyOf(columns);
  }

  /** Epoch, counted from 0. */
  public long epoch() {
    return epoch;
  }

  /** Step in the epoch, counted from 0. */
  public long step() {
    return step;
  }

  /** Lane of the global step. */
  public int lane() {
    return lane;
  }

  /** Number of packs: the micro batch. */
  public int packs() {
    return packs.size();
  }

  /** One pack. */
  public Pack pack(int index) {
    return packs.get(index);
  }

  /** Whether the packs span blocks, so that the tensors had to be copied together. */
  public boolean isGathered() {
    return content.gathered();
  }

  /**
   * A tensor of all packs: {@code input_ids [1, L]}, {@code labels [1, L]}, {@code position_ids [3,
   * 1, L]} and {@code image_grid_thw [n, 3]} of int64, {@code cu_seqlens [samples + 1]} of int32,
   * {@code pixel_values [P, 768 or 1536]} of the dataset's pixel encoding; L, n and P are sums over
   * the packs.
   *
   * @throws IllegalArgumentException if there is no such tensor
   * @throws AlreadyClosedException if the batch is closed
   */
  public Tensor tensor(String name) {
    life.checkOpen();
    return tensors.get(ShardColumn.TENSORS.indexOf(ShardColumn.tensor(name)));
  }

  /**
   * All tensors of all packs, in the order of the format.
   *
   * @throws AlreadyClosedException if the batch is closed
   */
  public List<Tensor> tensors() {
    life.checkOpen();
    return tensors;
  }

  /**
   * Provenance of all samples of all packs.
   *
   * @throws AlreadyClosedException if the batch is closed
   */
  public List<String> sampleIds() {
    life.checkOpen();
    return packs.stream().flatMap(pack -> pack.sampleIds().stream()).toList();
  }

  /** Bytes of all tensors. */
  public long bytes() {
    return bytes;
  }

  /**
   * Ends the use of the tensors; the memory goes once nothing refers to it any more. Closing twice
   * does nothing.
   */
  @Override
  public void close() {
    long start = System.nanoTime();
    if (life.end()) {
      onClose.accept(start);
    }
  }
}
