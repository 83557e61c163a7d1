package io.stoker.preprocess.manifest;

import java.io.IOException;

/** A whole manifest that cannot be used: missing, changed, or not JSON lines at all. */
public final class ManifestException extends IOException {
  private static final long serialVersionUID = 1L;

  public ManifestException(String message) {
    super(message);
  }
}
