package io.stoker.preprocess.fetch;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A store that did not do what it should. Never the record's fault. */
final class StoreFault extends IOException {
  private static final long serialVersionUID = 1L;

  /** What may help. */
  enum Kind {
    /** Too many requests: fewer at a time, later. */
    BUSY("busy"),
    /** No connection: later. */
    UNREACHABLE("cannot be reached"),
    /**
     * An error, or an answer that is damaged, cut short or too slow: once more, but not forever.
     */
    BROKEN("broken answers"),
    /** Credentials that have run out: once more, with what their provider gives next. */
    EXPIRED("expired credentials"),
    /** Nothing. */
    FINAL("final");

    private final String shown;

    Kind(String shown) {
      this.shown = shown;
    }

    /** Whether the fault is the object's as far as one can see, so that few attempts must do. */
    boolean countsAttempts() {
      return this == BROKEN || this == EXPIRED;
    }

    @Override
    public String toString() {
      return shown;
    }
  }

  private final Kind kind;

  StoreFault(Kind kind, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  Kind kind() {
    return kind;
  }
}
