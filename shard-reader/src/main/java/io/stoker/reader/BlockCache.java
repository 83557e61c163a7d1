package io.stoker.reader;

import io.stoker.format.ShardFormatException;
import io.stoker.index.BlockEntry;
import io.stoker.index.BlockTable;
import java.io.IOException;
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
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Blocks of remote datasets on a local disk, one file each, shared by the ranks of a node. A file
 * gets its final name only when it is complete and durable, and never changes afterwards; whoever
 * uses it verifies it first. Thread-safe.
 */
final class BlockCache implements AutoCloseable {
  private static final String LOCK_FILE = "stoker-cache.lock";
  private static final int KEY_CHARS = 16;

  private final Path directory;
  private final BlockTable table;
  private final String key;
  private final Duration patience;
  private final CacheLocks locks;
  private final CacheQuota quota;
  private final MappedBytes mapped;
  private final Writer writer;

  /** Writes a new file durably: the seam at which tests let a disk be full. */
  interface Writer {
    void write(Path file, ByteBuffer bytes) throws IOException;
  }

  /** The right to fetch a block. */
  record Turn(FileLock lock) implements AutoCloseable {
    @Override
    public void close() throws IOException {
      lock.release();
    }
  }

  private BlockCache(
      Path directory,
      BlockTable table,
      ReaderOptions.Cache options,
      CacheLocks locks,
      Writer writer) {
    this.directory = directory;
    this.table = table;
    this.key = key(table.dataset().datasetId());
    this.patience = options.patience();
    this.locks = locks;
    this.quota = new CacheQuota(directory, locks, options.maxBytes());
    this.mapped = new MappedBytes(options.maxBytes() / 2);
    this.writer = writer;
  }

  /**
   * Opens a cache.
   *
   * @param lanes lanes this rank serves: each needs its block, and one more is on its way
   * @throws IllegalArgumentException if the quota is too small for them
   * @throws IOException if the directory cannot be used
   */
  static BlockCache open(ReaderOptions.Cache options, BlockTable table, int lanes)
      throws IOException {
    return open(options, table, lanes, BlockCache::writeDurably);
  }

  static BlockCache open(ReaderOptions.Cache options, BlockTable table, int lanes, Writer writer)
      throws IOException {
    checkQuota(options, table, lanes);
    Path directory = CacheDirectory.prepare(options.directory());
    Path file = directory.resolve(LOCK_FILE);
    CacheDirectory.createIfAbsent(file);
    CacheLocks locks = CacheLocks.open(file);
    try {
      BlockCache cache = new BlockCache(directory, table, options, locks, writer);
      cache.quota.takeStock();
      return cache;
    } catch (IOException | RuntimeException e) {
      locks.close();
      throw e;
    }
  }

  private static void checkQuota(ReaderOptions.Cache options, BlockTable table, int lanes)
      throws ShardFormatException {
    long largest = 0;
    for (int block = 0; block < table.blocks(); block++) {
      largest = Math.max(largest, table.entry(block).length());
    }
    long needed = (lanes + 1L) * largest;
    if (options.maxBytes() < needed) {
      throw new IllegalArgumentException(
          "cache.max-bytes: expected at least "
              + needed
              + " (a block of up to "
              + largest
              + " bytes for each of "
              + lanes
              + " lanes, and one more), found "
              + options.maxBytes());
    }
  }

  /** Identifies a dataset in names of files. */
  private static String key(String datasetId) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(datasetId.getBytes(StandardCharsets.UTF_8));
      StringBuilder hex = new StringBuilder();
      for (byte b : hash) {
        hex.append(Character.forDigit(b >> 4 & 15, 16)).append(Character.forDigit(b & 15, 16));
      }
      return hex.substring(0, KEY_CHARS);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JVM has SHA-256", e);
    }
  }

  /** Position of the lock of a block. */
  static long position(String key, int block) {
    return (Long.parseLong(key.substring(0, 7), 16) << 32) + block + Long.BYTES;
  }

  /** The file of a block, whether there is one or not. */
  Path file(int block) throws ShardFormatException {
    return directory.resolve(prefix(block) + ".block");
  }

  private String prefix(int block) throws ShardFormatException {
    // Eight digits: a shorter checksum has leading zeros.
    String crc = Long.toHexString(table.entry(block).crc32c() | 1L << 32).substring(1);
    return key + "-" + block + "-" + crc;
  }

  /**
   * Waits for the right to fetch a block. If its holder is killed, one of those who wait gets it.
   *
   * @return null if that takes longer than the patience
   */
  @Nullable Turn awaitTurn(int block) throws IOException {
    FileLock lock = locks.lock(position(key, block), patience);
    return lock == null ? null : new Turn(lock);
  }

  /**
   * Maps the file of a block, whose content is yet to be checked.
   *
   * @return null if there is none of the right length
   */
  @Nullable ByteBuffer map(int block) throws IOException {
    BlockEntry entry = table.entry(block);
    Path file = file(block);
    Set<OpenOption> read = Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
    try (FileChannel channel = FileChannel.open(file, read)) {
      if (channel.size() != entry.length()) {
        return null;
      }
      ByteBuffer mapping = channel.map(FileChannel.MapMode.READ_ONLY, 0, entry.length());
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
   * Keeps a verified block. To be called with its turn.
   *
   * @param bytes the block, position to limit
   * @return the mapping of the file, or null if it cannot be kept
   */
  @Nullable ByteBuffer store(int block, ByteBuffer bytes) throws IOException {
    try {
      if (!quota.reserve(bytes.remaining())) {
        return null;
      }
      if (!tryWrite(block, bytes)) {
        quota.giveWay(bytes.remaining());
        if (!tryWrite(block, bytes)) {
          return null;
        }
      }
      return map(block);
    } catch (IOException e) {
      if (Thread.currentThread().isInterrupted()) {
        throw e;
      }
      return null; // A broken disk must not end the training.
    }
  }

  private boolean tryWrite(int block, ByteBuffer bytes) throws IOException {
    String unique = ProcessHandle.current().pid() + "-" + Math.abs(System.nanoTime());
    Path temporary = directory.resolve(prefix(block) + "." + unique + ".tmp");
    try {
      writer.write(temporary, bytes.duplicate());
      Files.move(temporary, file(block), StandardCopyOption.ATOMIC_MOVE);
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
        FileChannel.open(file, options, CacheDirectory.permissions(file, "rw-------"))) {
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(true);
    }
  }

  /** Unlinks the file of a block. */
  void discard(int block) throws IOException {
    Files.deleteIfExists(file(block));
  }

  @Override
  public void close() throws IOException {
    locks.close();
  }
}
