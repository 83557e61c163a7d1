package io.stoker.reader;

/** A batch, a tensor or a reader was used after it had been closed. */
public final class AlreadyClosedException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  AlreadyClosedException(String message) {
    super(message);
  }
}
