package io.stoker.cache;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Opens caches for tests of other packages, and shows their files and locks. */
public final class TestCaches {
  private TestCaches() {}

  /** What stands in for the disk. */
  @FunctionalInterface
  public interface Disk {
    /** Writes a new file. */
    void write(Path file, ByteBuffer bytes) throws IOException;
  }

  /** A cache over such a disk. */
  public static BlockCache open(Path directory, long maxBytes, String datasetId, Disk disk)
      throws IOException {
    return BlockCache.open(directory, maxBytes, Duration.ofMinutes(2), datasetId, disk::write);
  }

  /** What a cache does with a disk that works. */
  public static void writeDurably(Path file, ByteBuffer bytes) throws IOException {
    BlockCache.writeDurably(file, bytes);
  }

  /** The file of a block. */
  public static Path file(BlockCache cache, BlockCache.Key key) {
    return cache.file(key);
  }

  /** The locks of a cache. */
  public static Locks locks(Path directory) throws IOException {
    return new Locks(CacheLocks.open(directory.toRealPath().resolve("stoker-cache.lock")));
  }

  /** The locks of a cache, as another rank has them. */
  public static final class Locks implements AutoCloseable {
    private final CacheLocks locks;

    private Locks(CacheLocks locks) {
      this.locks = locks;
    }

    /** Takes the lock of a block, or gives null. */
    public @Nullable FileLock tryLock(String dataset, int block) throws IOException {
      return locks.tryLock(CacheLocks.position(dataset, block));
    }

    @Override
    public void close() throws IOException {
      locks.close();
    }
  }
}
