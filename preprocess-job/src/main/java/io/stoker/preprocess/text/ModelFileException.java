package io.stoker.preprocess.text;

/**
 * Says that a file of the model directory cannot be used. It is a fault of the set-up, never of a
 * sample.
 */
public final class ModelFileException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ModelFileException(String message) {
    super(message);
  }

  ModelFileException(String message, Throwable cause) {
    super(message, cause);
  }
}
