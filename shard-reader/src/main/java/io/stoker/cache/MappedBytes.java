package io.stoker.cache;

import java.lang.ref.Cleaner;
import java.nio.ByteBuffer;

/**
 * Counts the bytes of cached blocks that are still mapped. The space of an evicted block is free
 * only once it is unmapped, which the collector does; a trainer that makes little garbage would see
 * it too seldom, and its disk would fill up in spite of the quota. Thread-safe.
 */
final class MappedBytes {
  private static final Cleaner CLEANER = Cleaner.create();

  private final long limit;
  private long mapped;
  private long mappedSinceCollection;

  /**
   * Starts at 0.
   *
   * @param limit bytes beyond which the collector is asked to look, once for as many new ones
   */
  MappedBytes(long limit) {
    this.limit = limit;
  }

  /** Counts a mapping until nothing refers to it any more. */
  void track(ByteBuffer mapping) {
    long bytes = mapping.capacity();
    CLEANER.register(mapping, () -> add(-bytes));
    if (add(bytes)) {
      System.gc();
    }
  }

  private synchronized boolean add(long bytes) {
    mapped += bytes;
    mappedSinceCollection += Math.max(0, bytes);
    boolean collect = mapped > limit && mappedSinceCollection > limit;
    if (collect) {
      mappedSinceCollection = 0;
    }
    return collect;
  }
}
