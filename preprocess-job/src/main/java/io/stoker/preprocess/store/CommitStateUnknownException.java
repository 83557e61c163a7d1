package io.stoker.preprocess.store;

import java.io.IOException;

/**
 * The last write of a commit was sent and its outcome cannot be established. Nothing may be
 * deleted: the dataset may exist.
 */
public final class CommitStateUnknownException extends IOException {
  private static final long serialVersionUID = 1L;

  public CommitStateUnknownException(String uri, Throwable cause) {
    super(
        "cannot tell whether %s was written (%s): nothing was removed; look whether it exists, and submit again if not"
            .formatted(uri, cause.getMessage()),
        cause);
  }
}
