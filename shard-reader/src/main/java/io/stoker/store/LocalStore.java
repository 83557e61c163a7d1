package io.stoker.store;

import io.stoker.format.ShardFormatException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A dataset on a local path, read in place through one mapping per shard.
 *
 * <p>This class never unmaps: a slice keeps its mapping reachable, and the garbage collector unmaps
 * what nobody can read any more. To unmap earlier would only save address space, and it would crash
 * a trainer that still holds a view. The store keeps the mappings that were used last.
 */
final class LocalStore implements DatasetStore {
  // Far below the 65,530 mappings that Linux grants a process.
  private static final int MAX_MAPPINGS = 4096;

  private final Path root;
  private final Map<String, ByteBuffer> mappings =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, ByteBuffer> eldest) {
          return size() > MAX_MAPPINGS;
        }
      };

  LocalStore(Path root) {
    this.root = root;
  }

  @Override
  public byte[] read(String name, long limit) throws IOException {
    try (InputStream in = Files.newInputStream(root.resolve(name))) {
      byte[] bytes = in.readNBytes((int) Math.min(Integer.MAX_VALUE - 8, limit + 1));
      if (bytes.length > limit) {
        throw ShardFormatException.mismatch(
            name, "length", "at most " + limit, "more than " + limit);
      }
      return bytes;
    }
  }

  @Override
  public synchronized ByteBuffer map(String name, long fileBytes, long offset, long length)
      throws IOException {
    ByteBuffer mapping = mappings.get(name);
    if (mapping == null) {
      mapping = map(name, fileBytes);
      mappings.put(name, mapping);
    }
    return mapping.slice(Math.toIntExact(offset), Math.toIntExact(length));
  }

  private ByteBuffer map(String name, long fileBytes) throws IOException {
    try (FileChannel channel = FileChannel.open(root.resolve(name), StandardOpenOption.READ)) {
      // A mapping beyond the end of the file would be a bus error at the first access.
      if (channel.size() != fileBytes) {
        throw ShardFormatException.mismatch(name, "length", fileBytes, channel.size());
      }
      return channel.map(FileChannel.MapMode.READ_ONLY, 0, fileBytes);
    } catch (NoSuchFileException e) {
      throw new NoSuchFileException(
          root.resolve(name).toString(),
          null,
          "expected %d bytes, found no file".formatted(fileBytes));
    }
  }

  @Override
  public synchronized void close() {
    mappings.clear();
  }
}
