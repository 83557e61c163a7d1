package io.stoker.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The packs of a dataset as one sequence: the blocks in the order of their permutation, each with
 * its packs in its own order.
 *
 * <p>Memory is 8 bytes per 64 blocks. Building it reads the packs of each block once, from front to
 * back, on as many threads as there are processors; looking up costs a binary search and at most 64
 * evaluations of the permutation. Immutable and thread-safe.
 */
final class BlockOrder {
  private static final int STRIDE_BITS = 6;
  private static final int CHUNK = 1 << 11;
  // Below this many blocks a second thread costs more than it brings.
  private static final int MIN_BLOCKS_PER_THREAD = 1 << 17;

  private final PackCounts counts;
  private final BlockPermutation permutation;
  private final int blocks;
  // starts[i] packs precede the permuted block i * 2^STRIDE_BITS.
  private final long[] starts;

  BlockOrder(PackCounts counts, long seed, long epoch) {
    this.counts = counts;
    this.blocks = counts.blocks();
    this.permutation = new BlockPermutation(blocks, seed, epoch);
    this.starts = new long[((blocks - 1) >> STRIDE_BITS) + 2];
    int threads = Runtime.getRuntime().availableProcessors();
    int parts = Math.max(1, Math.min(threads, blocks / MIN_BLOCKS_PER_THREAD));
    // Sums of integers do not depend on the number of threads or on their order.
    IntStream.range(0, parts)
        .parallel()
        .mapToObj(part -> packsByStride(start(part, parts), start(part + 1, parts)))
        .forEachOrdered(this::add);
    for (int i = 1; i < starts.length; i++) {
      starts[i] += starts[i - 1];
    }
  }

  private int start(int part, int parts) {
    return (int) ((long) blocks * part / parts);
  }

  // Reads the table from front to back, so that only this small array is hit at random. The other
  // way round takes twice as long.
  private long[] packsByStride(int from, int to) {
    long[] sums = new long[starts.length];
    int[] packs = new int[CHUNK];
    long[] indices = new long[CHUNK];
    long[] scratch = new long[CHUNK];
    for (int first = from; first < to; first += CHUNK) {
      int count = Math.min(CHUNK, to - first);
      counts.read(first, count, packs);
      permutation.invert(first, count, indices, scratch);
      for (int i = 0; i < count; i++) {
        sums[(int) (indices[i] >> STRIDE_BITS) + 1] += notNegative(packs[i]);
      }
    }
    return sums;
  }

  private void add(long[] sums) {
    for (int i = 0; i < sums.length; i++) {
      starts[i] += sums[i];
    }
  }

  // A damaged table may hold a negative count. Counted as 0, it fails the check of the sum, and
  // the starts stay sorted.
  private static int notNegative(int packs) {
    return Math.max(0, packs);
  }

  private int packsAt(int index) {
    return notNegative(counts.packs(permutation.apply(index)));
  }

  /** Length of the sequence. */
  long packs() {
    return starts[starts.length - 1];
  }

  /**
   * The position of a pack in the sequence.
   *
   * @throws IndexOutOfBoundsException if there is no such block or it has no such pack
   */
  long position(int block, int pack) {
    if (block < 0 || block >= blocks || pack < 0 || pack >= counts.packs(block)) {
      throw new IndexOutOfBoundsException("no pack " + pack + " in block " + block);
    }
    int index = permutation.invert(block);
    int stride = index >> STRIDE_BITS;
    long position = starts[stride] + pack;
    for (int i = stride << STRIDE_BITS; i < index; i++) {
      position += packsAt(i);
    }
    return position;
  }

  /**
   * Neighbours in the sequence, by block.
   *
   * @param position of the first, in [0, {@link #packs()})
   * @param count at most {@code packs() - position}
   */
  List<PackRange> ranges(long position, int count, boolean padding) {
    int stride = strideOf(position);
    int index = stride << STRIDE_BITS;
    long skip = position - starts[stride];
    int missing = count;
    List<PackRange> ranges = new ArrayList<>(1);
    while (missing > 0) {
      int block = permutation.apply(index++);
      int packs = notNegative(counts.packs(block));
      if (skip >= packs) {
        skip -= packs;
      } else {
        int length = (int) Math.min(missing, packs - skip);
        ranges.add(new PackRange(block, (int) skip, length, padding));
        missing -= length;
        skip = 0;
      }
    }
    return ranges;
  }

  /** The last stride that starts at or before a position. */
  private int strideOf(long position) {
    int low = 0;
    int high = starts.length - 2;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (starts[middle] <= position) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }
}
