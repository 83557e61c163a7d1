package io.stoker.preprocess.spark;

import java.io.Serializable;

/**
 * Where a manifest row goes: a pure function of the seed, the manifest's content and the row's
 * place in it, so that a stage that runs again puts every row where it was.
 *
 * @param hash pseudo-random, compared as unsigned
 * @param manifest index of the manifest; decides between equal hashes
 * @param offset byte offset of the row
 */
record ShuffleKey(long hash, int manifest, long offset)
    implements Comparable<ShuffleKey>, Serializable {
  private static final int PARTITION_BITS = 31;

  /**
   * The key of a row.
   *
   * @param contentHash of the manifest
   */
  static ShuffleKey of(long seed, long contentHash, int manifest, long offset) {
    return new ShuffleKey(mix(seed ^ mix(contentHash ^ mix(offset))), manifest, offset);
  }

  /**
   * The finalizer of SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number
   * generators).
   */
  private static long mix(long value) {
    long z = value + 0x9E3779B97F4A7C15L;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }

  /** Which of so many partitions: equal ranges of the hash, so that order holds across them. */
  int partition(int partitions) {
    return (int) (((hash >>> (Long.SIZE - PARTITION_BITS)) * partitions) >>> PARTITION_BITS);
  }

  @Override
  public int compareTo(ShuffleKey other) {
    int byHash = Long.compareUnsigned(hash, other.hash);
    if (byHash != 0) {
      return byHash;
    }
    int byManifest = Integer.compare(manifest, other.manifest);
    return byManifest != 0 ? byManifest : Long.compare(offset, other.offset);
  }
}
