package io.stoker.store;

import io.stoker.format.ShardFormatException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;

/**
 * The place where a dataset lies, and all that the reader knows of storage. Names are relative to
 * the dataset; callers have checked that they stay inside it. Objects never change. Thread-safe.
 * The code that opens a store closes it.
 */
public interface DatasetStore extends AutoCloseable {
  /**
   * Reads one small object as a whole.
   *
   * @param limit bytes it may have
   * @throws NoSuchFileException if it does not exist
   * @throws IOException if it is longer or the store cannot be reached
   */
  byte[] read(String name, long limit) throws IOException;

  /**
   * Makes a range of an object readable in memory.
   *
   * @param fileBytes length the whole object must have
   * @param offset first byte
   * @param length bytes; {@code offset + length <= fileBytes}
   * @return a read-only buffer of exactly the range; it stays valid for as long as it is reachable,
   *     also after the store is closed
   * @throws ShardFormatException if the object has another length
   * @throws IOException if the store cannot be reached
   */
  ByteBuffer map(String name, long fileBytes, long offset, long length) throws IOException;

  /**
   * Reads a range of an object into a buffer, from its position to its limit.
   *
   * @throws IOException as {@link #map}; what the buffer then contains is undefined
   */
  default void fetch(String name, long fileBytes, long offset, ByteBuffer target)
      throws IOException {
    target.put(map(name, fileBytes, offset, target.remaining()));
  }

  /** Whether ranges come over a network, so that it pays to keep them. */
  default boolean isRemote() {
    return false;
  }

  /** Releases what the store holds and ends transfers; buffers that were handed out stay valid. */
  @Override
  void close();
}
