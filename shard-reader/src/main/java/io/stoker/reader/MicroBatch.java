package io.stoker.reader;

import io.stoker.format.BlockLayout;
import io.stoker.format.PixelLayout;
import io.stoker.format.ShardColumn;
import io.stoker.plan.PackRange;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The packs of a micro-batch and their data as that of one longer pack. Built on a thread of the
 * prefetcher, which does all copying. Immutable and thread-safe.
 *
 * @param parts the packs, by block
 * @param data the data of {@link ShardColumn#TENSORS}, read-only and little-endian
 */
record MicroBatch(List<Part> parts, List<ByteBuffer> data) {
  /**
   * Packs of one verified block.
   *
   * @param range which of its packs
   * @param zeroLoss where the labels of padding packs come from; null: they are no padding
   */
  record Part(BlockLayout block, PackRange range, @Nullable ZeroLoss zeroLoss) {
    IntStream packs() {
      return IntStream.range(range.first(), range.first() + range.count());
    }

    ByteBuffer data(ShardColumn column) {
      if (column == ShardColumn.LABELS && zeroLoss != null) {
        return zeroLoss.labels(Math.toIntExact(sum(block::tokens)));
      }
      return block.data(column, range.first(), range.count());
    }

    /** What to serve as the labels of a pack instead of its own, or null. */
    @Nullable ByteBuffer labels(int pack) {
      return zeroLoss == null ? null : zeroLoss.labels(block.tokens(pack));
    }

    private long sum(IntUnaryOperator size) {
      return packs().mapToLong(size::applyAsInt).sum();
    }
  }

  /** Takes packs as one. */
  static MicroBatch of(List<Part> parts) {
    List<Part> copy = List.copyOf(parts);
    return new MicroBatch(
        copy, ShardColumn.TENSORS.stream().map(column -> data(copy, column)).toList());
  }

  /** Whether the packs come from several blocks, so that their tensors had to be copied. */
  boolean gathered() {
    return parts.size() > 1;
  }

  PixelLayout pixels() {
    return parts.get(0).block.pixels();
  }

  /** Bytes of all tensors. */
  long bytes() {
    return data.stream().mapToLong(ByteBuffer::remaining).sum();
  }

  private static ByteBuffer data(List<Part> parts, ShardColumn column) {
    Part first = parts.get(0);
    if (parts.size() == 1 && first.range.count() == 1) {
      return first.data(column);
    }
    return switch (column) {
      case CU_SEQLENS -> boundaries(parts);
      case POSITION_IDS -> positions(parts);
      default -> parts.size() == 1 ? first.data(column) : concatenation(parts, column);
    };
  }

  /** The boundaries of each pack, moved by the tokens before it. */
  private static ByteBuffer boundaries(List<Part> parts) {
    long samples = parts.stream().mapToLong(part -> part.sum(part.block::segments)).sum();
    ByteBuffer target = allocate((samples + 1) * Integer.BYTES);
    target.putInt(0);
    int tokens = 0;
    for (Part part : parts) {
      for (int pack : part.packs().toArray()) {
        IntBuffer own = part.block.data(ShardColumn.CU_SEQLENS, pack).asIntBuffer();
        for (int i = 1; i < own.limit(); i++) {
          target.putInt(tokens + own.get(i));
        }
        tokens += part.block.tokens(pack);
      }
    }
    return readOnly(target);
  }

  /** [3][L] of each pack to [3][sum of L]: all of the first axis, all of the second, … */
  private static ByteBuffer positions(List<Part> parts) {
    long tokens = parts.stream().mapToLong(part -> part.sum(part.block::tokens)).sum();
    ByteBuffer target = allocate(3 * tokens * Long.BYTES);
    for (int axis = 0; axis < 3; axis++) {
      for (Part part : parts) {
        for (int pack : part.packs().toArray()) {
          int bytes = part.block.tokens(pack) * Long.BYTES;
          ByteBuffer own = part.block.data(ShardColumn.POSITION_IDS, pack);
          target.put(own.slice(axis * bytes, bytes));
        }
      }
    }
    return readOnly(target);
  }

  private static ByteBuffer concatenation(List<Part> parts, ShardColumn column) {
    ByteBuffer target =
        allocate(parts.stream().mapToLong(part -> part.data(column).remaining()).sum());
    for (Part part : parts) {
      target.put(part.data(column));
    }
    return readOnly(target);
  }

  private static ByteBuffer readOnly(ByteBuffer full) {
    return full.flip().asReadOnlyBuffer().order(full.order());
  }

  // A micro-batch may exceed 2 GiB only if someone packs gigabytes into one forward.
  private static ByteBuffer allocate(long bytes) {
    return ByteBuffer.allocateDirect(Math.toIntExact(bytes)).order(ByteOrder.LITTLE_ENDIAN);
  }
}
