package io.stoker.store;

import java.io.IOException;

/**
 * Part of a dataset could not be read, although nothing says that it is damaged: the store refuses
 * to give it or cannot be reached, and all attempts have failed. The message names the shard and
 * the block.
 */
public final class DatasetUnavailableException extends IOException {
  private static final long serialVersionUID = 1L;

  /**
   * Tells what could not be read and why.
   *
   * @param resource the object, or the shard and the block
   */
  public DatasetUnavailableException(String resource, IOException cause) {
    super(resource + ": unavailable: " + cause.getMessage(), cause);
  }
}
