package io.stoker.store;

import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A store did not do what it was asked for. The kind says what can be done about it. */
public final class StoreFault extends IOException {
  private static final long serialVersionUID = 1L;

  /** What can be done about a fault. */
  public enum Kind {
    /** The store has too much to do: ask less often and later. */
    BUSY("busy"),
    /** There is no connection: ask later. */
    UNREACHABLE("cannot be reached"),
    /** The answer is an error, or is damaged, cut short or too slow: ask again a few times. */
    BROKEN("broken answers"),
    /** The credentials or the signature are too old: ask again a few times with new ones. */
    EXPIRED("expired credentials"),
    /** The object is not the one that was read before: its reader decides what this means. */
    CHANGED("changed objects"),
    /** The answer belongs to another question. A server that does this twice will do it always. */
    WRONG("wrong answers"),
    /** There is no such object. */
    MISSING("missing objects"),
    /** Asking again does not help. */
    FINAL("final");

    private static final int WRONG_ANSWERS = 3;

    private final String shown;

    Kind(String shown) {
      this.shown = shown;
    }

    /**
     * How many faults of this kind one object may have; the last of them is not repeated. A busy or
     * distant store says nothing about the object, so that only the deadline ends it.
     */
    int most(RetrySettings settings) {
      return switch (this) {
        case BUSY, UNREACHABLE -> Integer.MAX_VALUE;
        case BROKEN, EXPIRED -> settings.attempts();
        case CHANGED, WRONG -> Math.min(WRONG_ANSWERS, settings.attempts());
        case MISSING, FINAL -> 1;
      };
    }

    @Override
    public String toString() {
      return shown;
    }
  }

  // Apache's HTTP client has classes of its own, which are not on every class path.
  private static final Set<String> NO_CONNECTION =
      Set.of(
          "ConnectTimeoutException", "HttpHostConnectException", "ConnectionPoolTimeoutException");

  private final Kind kind;

  /** Tells what went wrong; the message names the object. */
  public StoreFault(Kind kind, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  /** What can be done about it. */
  public Kind kind() {
    return kind;
  }

  /** The kind of a failure that is not an answer of the server, seen through all its causes. */
  public static Kind ofConnection(Throwable failure) {
    if (causes(failure).anyMatch(StoreFault::isNoConnection)) {
      return Kind.UNREACHABLE;
    }
    // Without an I/O error the fault is on our side: there are no credentials, for example.
    return causes(failure).anyMatch(IOException.class::isInstance) ? Kind.BROKEN : Kind.FINAL;
  }

  private static boolean isNoConnection(Throwable e) {
    return e instanceof ConnectException
        || e instanceof UnknownHostException
        || e instanceof NoRouteToHostException
        || NO_CONNECTION.contains(e.getClass().getSimpleName())
        // The JDK has one class for connections and answers that take too long.
        || (e instanceof SocketTimeoutException
            && String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT).startsWith("connect"));
  }

  private static Stream<Throwable> causes(Throwable e) {
    return Stream.iterate(e, cause -> cause != null, Throwable::getCause);
  }
}
