package io.stoker.preprocess.text;

/** A file of the model directory cannot be used. A fault of the set-up, never of a sample. */
public final class ModelFileException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ModelFileException(String message) {
    super(message);
  }

  ModelFileException(String message, Throwable cause) {
    super(message, cause);
  }
}
