package io.stoker.cache;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Locks between the processes of a node, and between the readers of this one: byte ranges of one
 * file, which the operating system gives up when their holder dies. The first bytes of the file say
 * how full the cache is.
 *
 * <p>A process may have the file open only once: closing any descriptor of a file drops all locks
 * that the process holds on it. So this class keeps a table of the open files. Thread-safe.
 */
final class CacheLocks implements AutoCloseable {
  private static final Map<Path, CacheLocks> OPEN = new HashMap<>();
  private static final long MAX_PAUSE_MILLIS = 50;

  private final Path path;
  private final RandomAccessFile file;
  private int users;

  private CacheLocks(Path path) throws IOException {
    this.path = path;
    this.file = new RandomAccessFile(path.toFile(), "rw");
  }

  /**
   * Opens a lock file, which must exist.
   *
   * @param path its real path
   */
  static CacheLocks open(Path path) throws IOException {
    synchronized (OPEN) {
      CacheLocks locks = OPEN.get(path);
      if (locks == null) {
        locks = new CacheLocks(path);
        OPEN.put(path, locks);
      }
      locks.users++;
      return locks;
    }
  }

  /** Position of the lock of a block. */
  static long position(String dataset, int block) {
    return (Long.parseLong(dataset.substring(0, 7), 16) << 32) + block + Long.BYTES;
  }

  /** Takes a lock if it is free. */
  @Nullable FileLock tryLock(long position) throws IOException {
    try {
      return file.getChannel().tryLock(position, 1, false);
    } catch (OverlappingFileLockException e) {
      return null; // Another thread of this process.
    }
  }

  /**
   * Waits for a lock.
   *
   * @return null if it could not be had in time
   */
  @Nullable FileLock lock(long position, Duration patience) throws IOException {
    long deadline = System.nanoTime() + patience.toNanos();
    long pause = 1;
    while (true) {
      FileLock lock = tryLock(position);
      if (lock != null || System.nanoTime() - deadline >= 0) {
        return lock;
      }
      try {
        Thread.sleep(1 + ThreadLocalRandom.current().nextLong(pause));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted while waiting for another rank", e);
      }
      pause = Math.min(MAX_PAUSE_MILLIS, 2 * pause);
    }
  }

  /** Bytes in the cache, as last noted; 0 at first. The caller must hold the lock of the quota. */
  synchronized long usage() throws IOException {
    if (file.length() < Long.BYTES) {
      return 0;
    }
    file.seek(0);
    return file.readLong();
  }

  /** Notes the bytes in the cache. The caller must hold the lock of the quota. */
  synchronized void setUsage(long bytes) throws IOException {
    file.seek(0);
    file.writeLong(bytes);
  }

  @Override
  public void close() throws IOException {
    synchronized (OPEN) {
      if (--users == 0) {
        OPEN.remove(path);
        file.close();
      }
    }
  }
}
