package io.stoker.plan;

/**
 * A pseudo-random permutation of [0, n) that needs no memory: an alternating Feistel network over
 * the smallest rectangle a x b that holds n, walked until it lands below n. The rectangle exceeds n
 * by less than its own side, so that walking is rare. Immutable.
 *
 * <p>Its values are part of the contract: a cursor written today must resume at the same packs
 * after an upgrade.
 */
final class BlockPermutation {
  // Leaves room for a rectangle that is larger than n; a block table holds fewer rows anyway.
  private static final int MAX = 1 << 30;
  private static final int ROUNDS = 6;
  private static final long FACTOR_1 = 0xBF58476D1CE4E5B9L;
  private static final long FACTOR_2 = 0x94D049BB133111EBL;
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;

  private final int n;
  private final int a;
  private final int b;
  private final long[] keys = new long[ROUNDS];

  BlockPermutation(int n, long seed, long epoch) {
    if (n < 0 || n > MAX) {
      throw new IllegalArgumentException("expected at most " + MAX + " blocks, found " + n);
    }
    this.n = n;
    this.a = (int) Math.max(1, Math.ceil(Math.sqrt(n)));
    this.b = Math.max(1, (n + a - 1) / a);
    long state = mix(seed + GOLDEN) ^ epoch;
    for (int round = 0; round < ROUNDS; round++) {
      state += GOLDEN;
      keys[round] = mix(state);
    }
  }

  /** The image of {@code index}. */
  int apply(int index) {
    int at = index;
    do {
      at = permute(at);
    } while (at >= n);
    return at;
  }

  /** The index whose image is {@code value}. */
  int invert(int value) {
    int at = value;
    do {
      at = unpermute(at);
    } while (at >= n);
    return at;
  }

  /**
   * The indices whose images are {@code first}, {@code first + 1}, …: as {@link #invert}, for many
   * neighbours at a fraction of the price. Each round is one loop over numbers of one width, which
   * the compiler turns into vector instructions where the processor can multiply longs.
   *
   * @param indices filled from its front
   * @param scratch as long as {@code indices}
   * @param count how many, at most their length
   */
  void invert(int first, int count, long[] indices, long[] scratch) {
    long[] lefts = indices;
    long[] rights = scratch;
    int left = first % a;
    int right = first / a;
    for (int i = 0; i < count; i++) {
      lefts[i] = left;
      rights[i] = right;
      if (++left == a) {
        left = 0;
        right++;
      }
    }
    for (int round = ROUNDS - 2; round >= 0; round -= 2) {
      subtract(rights, keys[round + 1], lefts, b, count);
      subtract(lefts, keys[round], rights, a, count);
    }
    for (int i = 0; i < count; i++) {
      long at = lefts[i] + rights[i] * a;
      indices[i] = at < n ? at : invert((int) at);
    }
  }

  /** One half round: {@code targets -= scaled(key, values, bound)} modulo the bound. */
  private static void subtract(long[] targets, long key, long[] values, long bound, int count) {
    for (int i = 0; i < count; i++) {
      long z = (key ^ values[i]) * FACTOR_1;
      z = (z ^ (z >>> 32)) * FACTOR_2;
      long target = targets[i] - (((z >>> 32) * bound) >>> 32);
      // Adds the bound where the number is negative: its sign bits are the mask.
      targets[i] = target + (target >> 63 & bound);
    }
  }

  private int permute(int index) {
    int left = index % a;
    int right = index / a;
    for (int round = 0; round < ROUNDS; round += 2) {
      left += scaled(keys[round], right, a);
      left -= left >= a ? a : 0;
      right += scaled(keys[round + 1], left, b);
      right -= right >= b ? b : 0;
    }
    return left + right * a;
  }

  private int unpermute(int value) {
    int left = value % a;
    int right = value / a;
    for (int round = ROUNDS - 2; round >= 0; round -= 2) {
      right -= scaled(keys[round + 1], left, b);
      right += right < 0 ? b : 0;
      left -= scaled(keys[round], right, a);
      left += left < 0 ? a : 0;
    }
    return left + right * a;
  }

  // Two multiplications are enough under six rounds with independent keys, and there are millions.
  /** A hash of key and value in [0, bound). */
  private static int scaled(long key, int value, int bound) {
    long z = (key ^ value) * FACTOR_1;
    z = (z ^ (z >>> 32)) * FACTOR_2;
    return (int) (((z >>> 32) * bound) >>> 32);
  }

  // The finalizer of SplitMix64.
  private static long mix(long z) {
    z = (z ^ (z >>> 30)) * FACTOR_1;
    z = (z ^ (z >>> 27)) * FACTOR_2;
    return z ^ (z >>> 31);
  }
}
