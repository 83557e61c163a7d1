package io.stoker.cache;

import java.io.IOException;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Keeps a cache below its quota by unlinking the blocks that were used least recently; a rank that
 * has one of them mapped goes on reading it. Touches no file but those that a cache has written.
 * The directory is listed only when the noted usage reaches the quota. Thread-safe, also between
 * processes.
 */
final class CacheQuota {
  // The lock of the quota itself; no block has this position.
  private static final long POSITION = Long.MAX_VALUE - 1;
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  // Evicts more than is asked for, so that the directory is listed less often.
  private static final double KEPT = 0.9;
  private static final Pattern BLOCK = Pattern.compile("[0-9a-f]{16}-[0-9]+-[0-9a-f]{8}\\.block");
  private static final Pattern TEMPORARY =
      Pattern.compile("[0-9a-f]{16}-[0-9]+-[0-9a-f]{8}\\.[0-9]+-[0-9]+\\.tmp");

  private final Path directory;
  private final CacheLocks locks;
  private final long maxBytes;

  /** A file of the cache. */
  private record Entry(Path file, long bytes, long usedMillis) {}

  CacheQuota(Path directory, CacheLocks locks, long maxBytes) {
    this.directory = directory;
    this.locks = locks;
    this.maxBytes = maxBytes;
  }

  /** Takes stock: removes what killed ranks left half written, and notes the usage. */
  void takeStock() throws IOException {
    try (FileLock lock = locks.lock(POSITION, PATIENCE)) {
      if (lock != null) {
        removeAbandoned();
        locks.setUsage(evictTo(maxBytes));
      }
    }
  }

  /**
   * Makes room for a block and counts it.
   *
   * @return false if there cannot be room
   */
  boolean reserve(long bytes) throws IOException {
    try (FileLock lock = locks.lock(POSITION, PATIENCE)) {
      if (lock == null) {
        return false;
      }
      long usage = locks.usage();
      if (usage + bytes > maxBytes) {
        usage = evictTo((long) (KEPT * (maxBytes - bytes)));
      }
      boolean fits = usage + bytes <= maxBytes;
      locks.setUsage(fits ? usage + bytes : usage);
      return fits;
    }
  }

  /** Takes a reservation back, and unlinks as many bytes of other blocks: the disk is full. */
  void giveWay(long bytes) throws IOException {
    try (FileLock lock = locks.lock(POSITION, PATIENCE)) {
      if (lock != null) {
        locks.setUsage(evictTo(Math.max(0, usedBytes() - bytes)));
      }
    }
  }

  /** Unlinks blocks until at most {@code target} bytes are left; returns what is left. */
  private long evictTo(long target) throws IOException {
    List<Entry> entries = entries(BLOCK);
    long left = entries.stream().mapToLong(Entry::bytes).sum();
    entries.sort(Comparator.comparingLong(Entry::usedMillis));
    for (Entry entry : entries) {
      if (left <= target) {
        break;
      }
      Files.deleteIfExists(entry.file);
      left -= entry.bytes;
    }
    return left;
  }

  private long usedBytes() throws IOException {
    return entries(BLOCK).stream().mapToLong(Entry::bytes).sum();
  }

  /** A temporary file is abandoned if nobody holds the lock of its block. */
  private void removeAbandoned() throws IOException {
    for (Entry entry : entries(TEMPORARY)) {
      String[] parts = String.valueOf(entry.file.getFileName()).split("-", 3);
      try (FileLock lock =
          locks.tryLock(CacheLocks.position(parts[0], Integer.parseInt(parts[1])))) {
        if (lock != null) {
          Files.deleteIfExists(entry.file);
        }
      }
    }
  }

  private List<Entry> entries(Pattern pattern) throws IOException {
    List<Entry> entries = new ArrayList<>();
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        if (pattern.matcher(String.valueOf(file.getFileName())).matches()) {
          addIfFile(entries, file);
        }
      }
    }
    return entries;
  }

  private static void addIfFile(List<Entry> entries, Path file) throws IOException {
    try {
      BasicFileAttributes attributes =
          Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      if (attributes.isRegularFile()) {
        entries.add(new Entry(file, attributes.size(), attributes.lastModifiedTime().toMillis()));
      }
    } catch (NoSuchFileException e) {
      // Another rank has just unlinked it, so it no longer counts.
    }
  }
}
