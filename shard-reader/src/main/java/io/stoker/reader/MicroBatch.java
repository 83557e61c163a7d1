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
 * @param data the data of {@link ShardColumn#TENSORS}, read-only and little-endian
 */
record MicroBatch(List<Run> runs, List<ByteBuffer> data) {
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
    List<Run> copy = List.copyOf(runs);
    return new MicroBatch(
        copy, ShardColumn.TENSORS.stream().map(column -> data(copy, column)).toList());
  }

  /** Whether the packs come from several blocks, so that their tensors had to be copied. */
  boolean gathered() {
    return runs.size() > 1;
  }

  PixelLayout pixels() {
    return runs.get(0).block.pixels();
  }

  /** Bytes of all tensors. */
  long bytes() {
    return data.stream().mapToLong(ByteBuffer::remaining).sum();
  }

  private static ByteBuffer data(List<Run> runs, ShardColumn column) {
    Run first = runs.get(0);
    if (runs.size() == 1 && first.count == 1) {
      return first.data(column);
    }
    return switch (column) {
      case CU_SEQLENS -> boundaries(runs);
      case POSITION_IDS -> positions(runs);
      default -> runs.size() == 1 ? first.data(column) : concatenation(runs, column);
    };
  }

  /** The boundaries of each pack, moved by the tokens before it. */
  private static ByteBuffer boundaries(List<Run> runs) {
    ByteBuffer target = allocate((sum(runs, BlockLayout::segments) + 1) * Integer.BYTES);
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
    return readOnly(target);
  }

  /** [3][L] of each pack to [3][sum of L]: all of the first axis, all of the second, … */
  private static ByteBuffer positions(List<Run> runs) {
    ByteBuffer target = allocate(3 * sum(runs, BlockLayout::tokens) * Long.BYTES);
    for (int axis = 0; axis < 3; axis++) {
      for (Run run : runs) {
        for (int pack = run.first; pack < run.first + run.count; pack++) {
          int bytes = run.block.tokens(pack) * Long.BYTES;
          ByteBuffer own = run.block.data(ShardColumn.POSITION_IDS, pack);
          target.put(own.slice(axis * bytes, bytes));
        }
      }
    }
    return readOnly(target);
  }

  private static ByteBuffer concatenation(List<Run> runs, ShardColumn column) {
    ByteBuffer target =
        allocate(runs.stream().mapToLong(run -> run.data(column).remaining()).sum());
    for (Run run : runs) {
      target.put(run.data(column));
    }
    return readOnly(target);
  }

  @FunctionalInterface
  private interface PackSize {
    int of(BlockLayout block, int pack);
  }

  private static long sum(List<Run> runs, PackSize size) {
    long sum = 0;
    for (Run run : runs) {
      for (int pack = run.first; pack < run.first + run.count; pack++) {
        sum += size.of(run.block, pack);
      }
    }
    return sum;
  }

  private static ByteBuffer readOnly(ByteBuffer full) {
    return full.flip().asReadOnlyBuffer().order(full.order());
  }

  // The runs of a micro-batch may exceed 2 GiB only if someone packs gigabytes into one forward.
  private static ByteBuffer allocate(long bytes) {
    return ByteBuffer.allocateDirect(Math.toIntExact(bytes)).order(ByteOrder.LITTLE_ENDIAN);
  }
}
