package io.stoker.store;

import java.io.IOException;

/**
 * Data of a dataset could not be had, although nothing says that it is damaged: the store refuses
 * or cannot be reached, and everything that may be tried again has been. The message names the
 * shard and the block.
 */
public final class DatasetUnavailableException extends IOException {
  private static final long serialVersionUID = 1L;

  /**
   * Tells what could not be had and why.
   *
   * @param resource the object, or the shard and the block
   */
  public DatasetUnavailableException(String resource, IOException cause) {
    super(resource + ": unavailable: " + cause.getMessage(), cause);
  }
}
