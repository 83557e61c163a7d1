package io.stoker.cache;

import io.stoker.common.PrivateDirectory;
import java.io.IOException;
import java.lang.ref.Cleaner;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Blocks of remote datasets on a local disk, one file each, shared by the ranks of a node. A file
 * gets its final name only when it is complete and durable, and never changes afterwards. Every use
 * verifies it first. Thread-safe.
 */
public final class BlockCache implements AutoCloseable {
  private static final String LOCK_FILE = "stoker-cache.lock";
  private static final int KEY_CHARS = 16;

  private final Path directory;
  private final String dataset;
  private final Duration patience;
  private final CacheLocks locks;
  private final CacheQuota quota;
  private final MappedBytes mapped;
  private final Writer writer;

  /** Writes a new file durably. Tests replace it by a disk that is full. */
  interface Writer {
    void write(Path file, ByteBuffer bytes) throws IOException;
  }

  /**
   * What tells a block of the dataset from any other.
   *
   * @param block row of the block table
   * @param length bytes
   * @param crc32c its checksum
   */
  public record Key(int block, long length, long crc32c) {
    // Eight digits: a shorter checksum has leading zeros.
    private String suffix() {
      return block + "-" + HexFormat.of().toHexDigits(crc32c, 8);
    }
  }

  /** The right to fetch a block. */
  public record Turn(FileLock lock) implements AutoCloseable {
    @Override
    public void close() throws IOException {
      lock.release();
    }
  }

  private BlockCache(
      Path directory,
      long maxBytes,
      Duration patience,
      String datasetId,
      CacheLocks locks,
      Writer writer) {
    this.directory = directory;
    this.dataset = hash(datasetId);
    this.patience = patience;
    this.locks = locks;
    this.quota = new CacheQuota(directory, locks, maxBytes);
    this.mapped = new MappedBytes(maxBytes / 2);
    this.writer = writer;
  }

  /**
   * Opens a cache.
   *
   * @param directory a directory of the cache's own; created if missing
   * @param maxBytes bytes of blocks to keep
   * @param patience how long to wait for another rank that fetches the same block
   * @param datasetId the dataset whose blocks this object keeps there
   * @throws IOException if the directory cannot be used
   */
  public static BlockCache open(Path directory, long maxBytes, Duration patience, String datasetId)
      throws IOException {
    return open(directory, maxBytes, patience, datasetId, BlockCache::writeDurably);
  }

  static BlockCache open(
      Path directory, long maxBytes, Duration patience, String datasetId, Writer writer)
      throws IOException {
    Path real = CacheDirectory.prepare(directory);
    Path file = real.resolve(LOCK_FILE);
    CacheDirectory.createIfAbsent(file);
    CacheLocks locks = CacheLocks.open(file);
    try {
      BlockCache cache = new BlockCache(real, maxBytes, patience, datasetId, locks, writer);
      cache.quota.takeStock();
      return cache;
    } catch (IOException | RuntimeException e) {
      locks.close();
      throw e;
    }
  }

  /** Identifies a dataset in names of files. */
  private static String hash(String datasetId) {
    try {
      MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
      byte[] hash = sha256.digest(datasetId.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash, 0, KEY_CHARS / 2);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JVM has SHA-256", e);
    }
  }

  /** The file of a block, whether there is one or not. */
  Path file(Key key) {
    return directory.resolve(prefix(key) + ".block");
  }

  private String prefix(Key key) {
    return dataset + "-" + key.suffix();
  }

  /**
   * Waits for the right to fetch a block. If the holder is killed, one of the waiting ranks gets
   * it.
   *
   * @return null if that takes longer than the patience
   */
  public @Nullable Turn awaitTurn(Key key) throws IOException {
    FileLock lock = locks.lock(CacheLocks.position(dataset, key.block), patience);
    return lock == null ? null : new Turn(lock);
  }

  /**
   * Maps the file of a block. The caller must check the content.
   *
   * @return null if there is none of the right length
   */
  public @Nullable ByteBuffer map(Key key) throws IOException {
    Path file = file(key);
    Set<OpenOption> read = Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
    try (FileChannel channel = FileChannel.open(file, read)) {
      if (channel.size() != key.length) {
        return null;
      }
      ByteBuffer mapping = channel.map(FileChannel.MapMode.READ_ONLY, 0, key.length);
      mapped.track(mapping);
      touch(file);
      return mapping;
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  private static void touch(Path file) {
    try {
      Files.setLastModifiedTime(file, FileTime.fromMillis(System.currentTimeMillis()));
    } catch (IOException e) {
      // It was evicted in between; the mapping stays.
    }
  }

  /**
   * Keeps a verified block. The caller must hold its turn.
   *
   * @param bytes the block, position to limit
   * @return the mapping of the file, or null if it cannot be kept
   */
  public @Nullable ByteBuffer store(Key key, ByteBuffer bytes) throws IOException {
    try {
      if (!quota.reserve(bytes.remaining())) {
        return null;
      }
      if (!tryWrite(key, bytes)) {
        quota.giveWay(bytes.remaining());
        if (!tryWrite(key, bytes)) {
          return null;
        }
      }
      return map(key);
    } catch (IOException e) {
      if (Thread.currentThread().isInterrupted()) {
        throw e;
      }
      return null; // A broken disk must not end the training.
    }
  }

  private boolean tryWrite(Key key, ByteBuffer bytes) throws IOException {
    String unique = ProcessHandle.current().pid() + "-" + Math.abs(System.nanoTime());
    Path temporary = directory.resolve(prefix(key) + "." + unique + ".tmp");
    try {
      writer.write(temporary, bytes.duplicate());
      Files.move(temporary, file(key), StandardCopyOption.ATOMIC_MOVE);
      CacheDirectory.force(directory);
      return true;
    } catch (IOException e) {
      return false;
    } finally {
      Files.deleteIfExists(temporary);
    }
  }

  static void writeDurably(Path file, ByteBuffer bytes) throws IOException {
    Set<StandardOpenOption> options =
        Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    try (FileChannel channel =
        FileChannel.open(
            file, options, PrivateDirectory.permissions(file, PrivateDirectory.FILE))) {
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(true);
    }
  }

  /** Unlinks the file of a block. */
  public void discard(Key key) throws IOException {
    Files.deleteIfExists(file(key));
  }

  @Override
  public void close() throws IOException {
    locks.close();
  }

  /**
   * Counts the bytes of cached blocks that are still mapped. The space of an evicted block is free
   * only once it is unmapped, which the collector does; a trainer that makes little garbage would
   * see it too seldom, and its disk would fill up in spite of the quota. Thread-safe.
   */
  private static final class MappedBytes {
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
}
