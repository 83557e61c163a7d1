package io.stoker.reader;

import io.stoker.cache.BlockCache;
import io.stoker.format.ArrowFileDecoder;
import io.stoker.format.BlockLayout;
import io.stoker.format.ShardFormatException;
import io.stoker.format.ShardSchema;
import io.stoker.index.BlockEntry;
import io.stoker.index.BlockTable;
import io.stoker.index.Dataset;
import io.stoker.index.ShardEntry;
import io.stoker.store.DatasetStore;
import io.stoker.store.DatasetUnavailableException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Row of the block table to verified block: mapped in place, out of the cache, or fetched.
 * Thread-safe.
 */
final class BlockSource {
  private final DatasetStore store;
  private final BlockTable table;
  private final @Nullable BlockCache cache;
  private final FetchCounters counters;
  private final StagingBuffers staging = new StagingBuffers();

  BlockSource(
      DatasetStore store, BlockTable table, @Nullable BlockCache cache, FetchCounters counters) {
    this.store = store;
    this.table = table;
    this.cache = cache;
    this.counters = counters;
  }

  /**
   * Makes a block readable and checks all of it: its checksum, which also faults its pages in, then
   * its structure, then its counts against the table. A block that comes damaged over the network
   * is fetched once more.
   *
   * @throws ShardFormatException if it is not what the table says
   * @throws DatasetUnavailableException if it cannot be had
   */
  BlockLayout open(int block) throws IOException {
    ReaderEvents.Map event = new ReaderEvents.Map();
    event.begin();
    try {
      BlockLayout layout = openOnce(block);
      event.end();
      if (event.shouldCommit()) {
        event.shard = shard(block).name();
        event.offset = table.entry(block).offset();
        event.length = table.entry(block).length();
        event.commit();
      }
      return layout;
    } catch (ShardFormatException e) {
      throw e;
    } catch (IOException e) {
      throw new DatasetUnavailableException(name(block), e);
    }
  }

  private BlockLayout openOnce(int block) throws IOException {
    if (!store.isRemote()) {
      return explained(block, map(block));
    }
    if (cache == null) {
      return fetch(block, ByteBuffer.allocateDirect(length(block)));
    }
    BlockLayout cached = cached(cache, block);
    if (cached != null) {
      return cached;
    }
    try (BlockCache.Turn turn = cache.awaitTurn(key(block))) {
      if (turn == null) {
        // Whoever fetches it takes too long.
        counters.cacheFailures.increment();
        return fetch(block, ByteBuffer.allocateDirect(length(block)));
      }
      cached = cached(cache, block);
      return cached != null ? cached : fetchIntoCache(cache, block);
    }
  }

  /** The cached copy, if there is one and it is sound. */
  private @Nullable BlockLayout cached(BlockCache from, int block) throws IOException {
    ByteBuffer mapping = from.map(key(block));
    if (mapping == null) {
      return null;
    }
    try {
      BlockLayout layout = check(block, mapping);
      counters.cacheHits.increment();
      return layout;
    } catch (ShardFormatException e) {
      return null; // Whatever that file is: it will be replaced.
    }
  }

  private BlockLayout fetchIntoCache(BlockCache into, int block) throws IOException {
    counters.cacheMisses.increment();
    ByteBuffer buffer = staging.borrow(length(block));
    BlockLayout inMemory = fetch(block, buffer);
    long start = System.nanoTime();
    ByteBuffer mapping = into.store(key(block), buffer.duplicate());
    counters.diskNanos.add(System.nanoTime() - start);
    if (mapping != null) {
      try {
        BlockLayout layout = check(block, mapping);
        staging.giveBack(buffer);
        return layout;
      } catch (ShardFormatException e) {
        // The disk does not give back what was written.
        into.discard(key(block));
      }
    }
    counters.cacheFailures.increment();
    return inMemory;
  }

  /** Fetches a block, twice if it comes damaged. */
  private BlockLayout fetch(int block, ByteBuffer buffer) throws IOException {
    fetchOnce(block, buffer);
    try {
      return check(block, buffer);
    } catch (ShardFormatException e) {
      counters.transfers.retries.increment();
    }
    fetchOnce(block, buffer);
    return explained(block, buffer);
  }

  private void fetchOnce(int block, ByteBuffer buffer) throws IOException {
    ShardEntry shard = shard(block);
    ReaderEvents.Miss event = new ReaderEvents.Miss();
    event.begin();
    long start = System.nanoTime();
    buffer.clear().limit(length(block));
    store.fetch(shard.name(), shard.bytes(), table.entry(block).offset(), buffer);
    buffer.flip();
    counters.storeNanos.add(System.nanoTime() - start);
    event.end();
    if (event.shouldCommit()) {
      event.shard = shard.name();
      event.offset = table.entry(block).offset();
      event.length = buffer.limit();
      event.commit();
    }
  }

  /** The bytes of a block, unchecked. */
  ByteBuffer map(int block) throws IOException {
    BlockEntry entry = table.entry(block);
    ShardEntry shard = shard(block);
    return store.map(shard.name(), shard.bytes(), entry.offset(), entry.length());
  }

  /** As {@link #check}, but looks for a better reason first if the checksum is wrong. */
  BlockLayout explained(int block, ByteBuffer bytes) throws IOException {
    try {
      return check(block, bytes);
    } catch (ShardFormatException e) {
      checkHead(shard(block));
      throw e;
    }
  }

  /** Checks all of a block, and leaves its pages in memory. */
  private BlockLayout check(int block, ByteBuffer bytes) throws ShardFormatException {
    try (WorkClock clock = WorkClock.start(counters)) {
      return checkCounts(block, bytes, checksum(block, bytes));
    }
  }

  private long checksum(int block, ByteBuffer bytes) throws ShardFormatException {
    try {
      if (bytes instanceof MappedByteBuffer mapped) {
        mapped.load();
      }
      CRC32C crc = new CRC32C();
      crc.update(bytes.duplicate());
      return crc.getValue();
    } catch (InternalError e) {
      // How the JVM reports a page of a mapping that can no longer be read.
      throw ShardFormatException.corrupt(name(block), "the file shrank while it was mapped", e);
    }
  }

  private BlockLayout checkCounts(int block, ByteBuffer bytes, long crc32c)
      throws ShardFormatException {
    BlockEntry entry = table.entry(block);
    String name = name(block);
    if (crc32c != entry.crc32c()) {
      throw ShardFormatException.mismatch(
          name, "crc32c", Long.toHexString(entry.crc32c()), Long.toHexString(crc32c));
    }
    BlockLayout layout =
        BlockLayout.parse(shard(block).name(), entry.offset(), bytes, table.dataset().pixels());
    check(name, "packs", entry.packs(), layout.packs());
    check(name, "samples", entry.samples(), layout.samples());
    check(name, "tokens", entry.tokens(), layout.tokens());
    check(name, "patches", entry.patches(), layout.patches());
    return layout;
  }

  /**
   * Checks the schema of a shard. The blocks need it not, but it has a better reason for a wrong
   * checksum: a shard of another dataset or version.
   */
  void checkHead(ShardEntry shard) throws IOException {
    Dataset dataset = table.dataset();
    long length = Math.min(shard.bytes(), ArrowFileDecoder.HEAD_BYTES);
    ByteBuffer head = store.map(shard.name(), shard.bytes(), 0, length);
    ArrowFileDecoder.schema(shard.name(), head)
        .checkIs(shard.name(), ShardSchema.of(dataset.datasetId(), dataset.pixels()));
  }

  private ShardEntry shard(int block) {
    return table.dataset().shards().get(table.shard(block));
  }

  private BlockCache.Key key(int block) throws ShardFormatException {
    BlockEntry entry = table.entry(block);
    return new BlockCache.Key(block, entry.length(), entry.crc32c());
  }

  private int length(int block) throws ShardFormatException {
    return Math.toIntExact(table.entry(block).length());
  }

  private String name(int block) throws ShardFormatException {
    return ShardFormatException.blockName(shard(block).name(), table.entry(block).offset());
  }

  private static void check(String name, String what, long expected, long found)
      throws ShardFormatException {
    if (expected != found) {
      throw ShardFormatException.mismatch(name, what, expected, found);
    }
  }
}
