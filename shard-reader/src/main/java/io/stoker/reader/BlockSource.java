package io.stoker.reader;

import io.stoker.cache.BlockCache;
import io.stoker.format.ArrowFileDecoder;
import io.stoker.format.BlockLayout;
import io.stoker.format.ShardFormatException;
import io.stoker.format.ShardSchema;
import io.stoker.index.BlockEntry;
import io.stoker.index.BlockRef;
import io.stoker.index.Dataset;
import io.stoker.index.ShardEntry;
import io.stoker.store.DatasetStore;
import io.stoker.store.DatasetUnavailableException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Turns a reference to a block into a verified block: maps it in place, takes it from the cache, or
 * fetches it. Thread-safe.
 */
final class BlockSource {
  private final DatasetStore store;
  private final Dataset dataset;
  private final @Nullable BlockCache cache;
  private final FetchCounters counters;
  private final StagingBuffers staging = new StagingBuffers();

  BlockSource(OpenDataset dataset, @Nullable BlockCache cache) {
    this.store = dataset.store();
    this.dataset = dataset.dataset();
    this.cache = cache;
    this.counters = dataset.counters();
  }

  /**
   * Makes a block readable and checks all of it: its checksum, which also faults its pages in, then
   * its structure, then its counts against the table. A block that comes damaged over the network
   * is fetched once more.
   *
   * @throws ShardFormatException if it is not what the table says
   * @throws DatasetUnavailableException if it cannot be had
   */
  BlockLayout open(BlockRef ref) throws IOException {
    ReaderEvents.Map event = new ReaderEvents.Map();
    event.begin();
    try {
      BlockLayout layout = openOnce(ref);
      event.end();
      if (event.shouldCommit()) {
        event.shard = ref.shard().name();
        event.offset = ref.entry().offset();
        event.length = ref.entry().length();
        event.commit();
      }
      return layout;
    } catch (ShardFormatException e) {
      throw e;
    } catch (IOException e) {
      throw new DatasetUnavailableException(ref.name(), e);
    }
  }

  private BlockLayout openOnce(BlockRef ref) throws IOException {
    if (!store.isRemote()) {
      return explained(ref, map(ref));
    }
    if (cache == null) {
      return fetch(ref, ByteBuffer.allocateDirect(ref.length()));
    }
    BlockLayout cached = cached(cache, ref);
    if (cached != null) {
      return cached;
    }
    try (BlockCache.Turn turn = cache.awaitTurn(key(ref))) {
      if (turn == null) {
        // Another rank fetches the block and takes too long.
        counters.cacheFailures.increment();
        return fetch(ref, ByteBuffer.allocateDirect(ref.length()));
      }
      cached = cached(cache, ref);
      return cached != null ? cached : fetchIntoCache(cache, ref);
    }
  }

  /** The cached copy, if there is one and it is sound. */
  private @Nullable BlockLayout cached(BlockCache from, BlockRef ref) throws IOException {
    ByteBuffer mapping = from.map(key(ref));
    if (mapping == null) {
      return null;
    }
    try {
      BlockLayout layout = check(ref, mapping);
      counters.cacheHits.increment();
      return layout;
    } catch (ShardFormatException e) {
      return null; // The file is no sound copy of the block, so it will be replaced.
    }
  }

  private BlockLayout fetchIntoCache(BlockCache into, BlockRef ref) throws IOException {
    counters.cacheMisses.increment();
    ByteBuffer buffer = staging.borrow(ref.length());
    BlockLayout inMemory = fetch(ref, buffer);
    long start = System.nanoTime();
    ByteBuffer mapping = into.store(key(ref), buffer.duplicate());
    counters.diskNanos.add(System.nanoTime() - start);
    if (mapping != null) {
      try {
        BlockLayout layout = check(ref, mapping);
        staging.giveBack(buffer);
        return layout;
      } catch (ShardFormatException e) {
        // The disk does not give back what was written.
        into.discard(key(ref));
      }
    }
    counters.cacheFailures.increment();
    return inMemory;
  }

  /** Fetches a block, twice if it comes damaged. */
  private BlockLayout fetch(BlockRef ref, ByteBuffer buffer) throws IOException {
    fetchOnce(ref, buffer);
    try {
      return check(ref, buffer);
    } catch (ShardFormatException e) {
      counters.transfers.retries.increment();
    }
    fetchOnce(ref, buffer);
    return explained(ref, buffer);
  }

  private void fetchOnce(BlockRef ref, ByteBuffer buffer) throws IOException {
    ShardEntry shard = ref.shard();
    ReaderEvents.Miss event = new ReaderEvents.Miss();
    event.begin();
    long start = System.nanoTime();
    buffer.clear().limit(ref.length());
    store.fetch(shard.name(), shard.bytes(), ref.entry().offset(), buffer);
    buffer.flip();
    counters.storeNanos.add(System.nanoTime() - start);
    event.end();
    if (event.shouldCommit()) {
      event.shard = shard.name();
      event.offset = ref.entry().offset();
      event.length = buffer.limit();
      event.commit();
    }
  }

  /** The bytes of a block, unchecked. */
  ByteBuffer map(BlockRef ref) throws IOException {
    ShardEntry shard = ref.shard();
    BlockEntry entry = ref.entry();
    return store.map(shard.name(), shard.bytes(), entry.offset(), entry.length());
  }

  /** As {@link #check}, but looks for a better reason first if the checksum is wrong. */
  BlockLayout explained(BlockRef ref, ByteBuffer bytes) throws IOException {
    try {
      return check(ref, bytes);
    } catch (ShardFormatException e) {
      checkHead(ref.shard());
      throw e;
    }
  }

  /** Checks all of a block, and leaves its pages in memory. */
  private BlockLayout check(BlockRef ref, ByteBuffer bytes) throws ShardFormatException {
    try (FetchCounters.Work work = counters.startWork()) {
      return checkCounts(ref, bytes, checksum(ref, bytes));
    }
  }

  private long checksum(BlockRef ref, ByteBuffer bytes) throws ShardFormatException {
    try {
      if (bytes instanceof MappedByteBuffer mapped) {
        mapped.load();
      }
      CRC32C crc = new CRC32C();
      crc.update(bytes.duplicate());
      return crc.getValue();
    } catch (InternalError e) {
      // How the JVM reports a page of a mapping that can no longer be read.
      throw ShardFormatException.corrupt(ref.name(), "the file shrank while it was mapped", e);
    }
  }

  private BlockLayout checkCounts(BlockRef ref, ByteBuffer bytes, long crc32c)
      throws ShardFormatException {
    BlockEntry entry = ref.entry();
    String name = ref.name();
    if (crc32c != entry.crc32c()) {
      throw ShardFormatException.mismatch(
          name, "crc32c", Long.toHexString(entry.crc32c()), Long.toHexString(crc32c));
    }
    BlockLayout layout = parse(ref, bytes);
    check(name, "packs", entry.packs(), layout.packs());
    check(name, "samples", entry.samples(), layout.samples());
    check(name, "tokens", entry.tokens(), layout.tokens());
    check(name, "patches", entry.patches(), layout.patches());
    return layout;
  }

  /** Checks the structure of a block, and nothing else. */
  BlockLayout parse(BlockRef ref, ByteBuffer bytes) throws ShardFormatException {
    return BlockLayout.parse(ref.shard().name(), ref.entry().offset(), bytes, dataset.pixels());
  }

  /**
   * Checks the schema of a shard. The blocks do not need it, but it can tell why a checksum is
   * wrong: the shard is of another dataset or version.
   */
  void checkHead(ShardEntry shard) throws IOException {
    long length = Math.min(shard.bytes(), ArrowFileDecoder.HEAD_BYTES);
    ByteBuffer head = store.map(shard.name(), shard.bytes(), 0, length);
    ArrowFileDecoder.schema(shard.name(), head)
        .checkIs(shard.name(), ShardSchema.of(dataset.datasetId(), dataset.pixels()));
  }

  private static BlockCache.Key key(BlockRef ref) {
    return new BlockCache.Key(ref.block(), ref.entry().length(), ref.entry().crc32c());
  }

  private static void check(String name, String what, long expected, long found)
      throws ShardFormatException {
    if (expected != found) {
      throw ShardFormatException.mismatch(name, what, expected, found);
    }
  }

  /**
   * Memory in which blocks stand on their way into the cache, used again and again; there are never
   * more of them than threads that fetch. Thread-safe.
   */
  private static final class StagingBuffers {
    private final ConcurrentLinkedQueue<ByteBuffer> free = new ConcurrentLinkedQueue<>();

    /** A buffer of at least {@code length} bytes. A caller may keep it and never give it back. */
    ByteBuffer borrow(int length) {
      @Nullable ByteBuffer buffer = free.poll();
      return buffer != null && buffer.capacity() >= length
          ? buffer
          : ByteBuffer.allocateDirect(length);
    }

    void giveBack(ByteBuffer buffer) {
      free.add(buffer);
    }
  }
}
