package io.stoker.reader;

import io.stoker.format.BlockLayout;
import io.stoker.format.PixelLayout;
import io.stoker.format.ShardColumn;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The packs of a micro-batch and their data as that of one longer pack. Built by the prefetcher:
 * whatever has to be copied is copied here. Immutable and thread-safe.
 *
 * @param runs the packs
 * @param extent the size of all packs together
 * @param data the data of {@link PackExtent#TENSORS}
 */
record MicroBatch(List<Run> runs, PackExtent extent, List<ByteBuffer> data) {
  /**
   * Neighbouring packs of one verified block.
   *
   * @param first the first pack
   * @param count number of packs, at least 1
   * @param zeroLoss where the labels of padding packs come from; null: they are no padding
   */
  record Run(BlockLayout block, int first, int count, @Nullable ZeroLoss zeroLoss) {
    ByteBuffer data(ShardColumn column) {
      if (column == ShardColumn.LABELS && zeroLoss != null) {
        int tokens = 0;
        for (int pack = first; pack < first + count; pack++) {
          tokens = Math.addExact(tokens, block.tokens(pack));
        }
        return zeroLoss.labels(tokens);
      }
      return block.data(column, first, count);
    }

    /** What to serve as the labels of a pack instead of its own, or null. */
    @Nullable ByteBuffer labels(int pack) {
      return zeroLoss == null ? null : zeroLoss.labels(block.tokens(pack));
    }
  }

  /** Takes packs as one. */
  static MicroBatch of(List<Run> runs) {
    PackExtent extent = PackExtent.EMPTY;
    for (Run run : runs) {
      for (int pack = run.first; pack < run.first + run.count; pack++) {
        extent = extent.plus(PackExtent.of(run.block, pack));
      }
    }
    List<Run> copy = List.copyOf(runs);
    PackExtent sum = extent;
    return new MicroBatch(
        copy, sum, PackExtent.TENSORS.stream().map(column -> data(copy, sum, column)).toList());
  }

  /** Whether the packs come from several blocks, so that their tensors had to be copied. */
  boolean gathered() {
    return runs.size() > 1;
  }

  PixelLayout pixels() {
    return runs.get(0).block.pixels();
  }

  private static ByteBuffer data(List<Run> runs, PackExtent extent, ShardColumn column) {
    Run first = runs.get(0);
    if (runs.size() == 1 && first.count == 1) {
      return first.data(column);
    }
    return switch (column) {
      case CU_SEQLENS -> boundaries(runs, extent);
      case POSITION_IDS -> positions(runs, extent);
      default -> runs.size() == 1 ? first.data(column) : concatenation(runs, column);
    };
  }

  /** The boundaries of each pack, moved by the tokens before it. */
  private static ByteBuffer boundaries(List<Run> runs, PackExtent extent) {
    ByteBuffer target = allocate((extent.samples() + 1) * Integer.BYTES);
    target.putInt(0);
    int tokens = 0;
    for (Run run : runs) {
      for (int pack = run.first; pack < run.first + run.count; pack++) {
        IntBuffer own = run.block.data(ShardColumn.CU_SEQLENS, pack).asIntBuffer();
        for (int i = 1; i < own.limit(); i++) {
          target.putInt(tokens + own.get(i));
        }
        tokens += run.block.tokens(pack);
      }
    }
    return target.flip();
  }

  /** [3][L] of each pack to [3][sum of L]: all of the first axis, all of the second, … */
  private static ByteBuffer positions(List<Run> runs, PackExtent extent) {
    ByteBuffer target = allocate(3 * extent.tokens() * Long.BYTES);
    for (int axis = 0; axis < 3; axis++) {
      for (Run run : runs) {
        for (int pack = run.first; pack < run.first + run.count; pack++) {
          int bytes = run.block.tokens(pack) * Long.BYTES;
          ByteBuffer own = run.block.data(ShardColumn.POSITION_IDS, pack);
          target.put(own.slice(axis * bytes, bytes));
        }
      }
    }
    return target.flip();
  }

  private static ByteBuffer concatenation(List<Run> runs, ShardColumn column) {
    ByteBuffer target =
        allocate(runs.stream().mapToLong(run -> run.data(column).remaining()).sum());
    for (Run run : runs) {
      target.put(run.data(column));
    }
    return target.flip();
  }

  // The runs of a micro-batch may exceed 2 GiB only if someone packs gigabytes into one forward.
  private static ByteBuffer allocate(long bytes) {
    return ByteBuffer.allocateDirect(Math.toIntExact(bytes)).order(ByteOrder.LITTLE_ENDIAN);
  }
}
