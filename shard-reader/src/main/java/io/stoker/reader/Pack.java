package io.stoker.reader;

import io.stoker.format.BlockLayout;
import io.stoker.format.ShardColumn;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One pack of a batch: finished samples, concatenated. Thread-safe. */
public final class Pack {
  private final BatchLife life;
  private final BlockLayout block;
  private final int pack;
  private final @Nullable ByteBuffer zeroLoss;

  /**
   * @param zeroLoss what to serve as labels if the pack is padding; null: its own
   */
  Pack(BatchLife life, BlockLayout block, int pack, @Nullable ByteBuffer zeroLoss) {
    this.life = life;
    this.block = block;
    this.pack = pack;
    this.zeroLoss = zeroLoss;
  }

  /**
   * Whether this pack only fills up the last step of an epoch. The epoch has delivered it before;
   * here all its labels are -100, so that its loss is zero.
   */
  public boolean padding() {
    return zeroLoss != null;
  }

  /** Tokens: L. */
  public int tokens() {
    return block.tokens(pack);
  }

  /** Segments, that is, samples. */
  public int samples() {
    return block.segments(pack);
  }

  /**
   * Provenance of the samples, one per segment.
   *
   * @throws AlreadyClosedException if the batch is closed
   */
  public List<String> sampleIds() {
    life.checkOpen();
    return block.sampleIds(pack);
  }

  /**
   * One tensor: {@code input_ids [1, L]}, {@code labels [1, L]}, {@code position_ids [3, 1, L]} and
   * {@code image_grid_thw [n, 3]} of int64, {@code cu_seqlens [samples + 1]} of int32, {@code
   * pixel_values [P, 768 or 1536]} of the dataset's pixel encoding. A pack without images has n = P
   * = 0. Always a view of the block.
   *
   * @throws IllegalArgumentException if there is no such tensor
   * @throws AlreadyClosedException if the batch is closed
   */
  public Tensor tensor(String name) {
    return tensor(ShardColumn.tensor(name));
  }

  /**
   * All tensors, in the order of the format.
   *
   * @throws AlreadyClosedException if the batch is closed
   */
  public List<Tensor> tensors() {
    return ShardColumn.TENSORS.stream().map(this::tensor).toList();
  }

  private Tensor tensor(ShardColumn column) {
    life.checkOpen();
    ByteBuffer data =
        column == ShardColumn.LABELS && zeroLoss != null ? zeroLoss : block.data(column, pack);
    return new Tensor(life, column, data, block.pixels());
  }
}
