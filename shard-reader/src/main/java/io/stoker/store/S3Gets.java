package io.stoker.store;

import io.stoker.store.StoreFault.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;

/**
 * Makes one GET and reads its body, or says what kind of fault came instead; {@link Retries} calls
 * it again. The client belongs to the caller, who has switched off its retries. Thread-safe.
 *
 * <p>An answer is too slow when it has taken longer than {@link RetrySettings#timeFor} the bytes
 * that have arrived. The thread that reads looks at the clock after each piece, which costs less
 * than a second thread that watches. A server that sends nothing at all ends with the socket
 * timeout of the client, which its owner sets to {@link RetrySettings#timeout}.
 */
public final class S3Gets implements AutoCloseable {
  private static final int PIECE_BYTES = 128 << 10;

  private final S3Client client;
  private final Runnable renewal;
  private final RetrySettings settings;
  private final LongSupplier clock;
  private final Set<ResponseInputStream<?>> transfers = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  /** Says where the body of an answer goes. */
  @FunctionalInterface
  public interface Target<X extends Exception> {
    /**
     * Looks at the answer before its body is read.
     *
     * @return what is filled up to its limit; the body is as long or longer
     * @throws X if this is not the answer that is wanted
     */
    ByteBuffer of(GetObjectResponse answer) throws StoreFault, X;
  }

  /**
   * An answer and its body.
   *
   * @param body as {@link Target} gave it, filled
   * @param bytes of the body
   */
  public record Got(GetObjectResponse answer, ByteBuffer body, int bytes) {}

  /**
   * Uses a client.
   *
   * @param renewal makes the client look for new credentials
   */
  public S3Gets(S3Client client, Runnable renewal, RetrySettings settings) {
    this(client, renewal, settings, System::nanoTime);
  }

  S3Gets(S3Client client, Runnable renewal, RetrySettings settings, LongSupplier clock) {
    this.client = client;
    this.renewal = renewal;
    this.settings = settings;
    this.clock = clock;
  }

  /**
   * Makes one request.
   *
   * @param shown the address of the object as messages show it
   * @throws StoreFault if the store is to blame
   * @throws InterruptedIOException if the thread is interrupted
   */
  public <X extends Exception> Got get(GetObjectRequest request, String shown, Target<X> target)
      throws IOException, X {
    long start = clock.getAsLong();
    ResponseInputStream<GetObjectResponse> in = ask(request, shown);
    transfers.add(in);
    boolean whole = false;
    try {
      if (in.response().contentLength() == null) {
        throw new StoreFault(
            Kind.WRONG, "expected the length of %s, found none".formatted(shown), null);
      }
      ByteBuffer body = target.of(in.response());
      int bytes = body.remaining();
      fill(body, in, shown, start);
      in.close();
      whole = true;
      return new Got(in.response(), body, bytes);
    } catch (StoreFault e) {
      throw e;
    } catch (IOException | SdkException e) {
      refuseIfClosed(shown, e);
      if (Thread.currentThread().isInterrupted()) {
        throw Retries.interrupted(e);
      }
      throw broken("cannot read %s: %s".formatted(shown, e.getMessage()), e);
    } finally {
      transfers.remove(in);
      if (!whole) {
        // Not closed: that would read the rest to keep the connection.
        in.abort();
      }
    }
  }

  private ResponseInputStream<GetObjectResponse> ask(GetObjectRequest request, String shown)
      throws IOException {
    refuseIfClosed(shown, null);
    try {
      return client.getObject(request);
    } catch (AbortedException e) {
      throw Retries.interrupted(e);
    } catch (SdkException e) {
      refuseIfClosed(shown, e);
      StoreFault fault = S3Faults.of(e, shown);
      if (fault.kind() == Kind.EXPIRED) {
        renewal.run();
      }
      throw fault;
    }
  }

  private void fill(ByteBuffer target, InputStream in, String shown, long start)
      throws IOException {
    int first = target.position();
    int length = target.remaining();
    byte[] piece = new byte[Math.min(length, PIECE_BYTES)];
    while (target.hasRemaining()) {
      refuseIfClosed(shown, null);
      if (Thread.currentThread().isInterrupted()) {
        throw new InterruptedIOException();
      }
      int count = in.read(piece, 0, Math.min(piece.length, target.remaining()));
      int got = target.position() - first + Math.max(count, 0);
      if (count < 0) {
        throw broken("expected %d bytes of %s, found %d".formatted(length, shown, got), null);
      }
      target.put(piece, 0, count);
      long nanos = clock.getAsLong() - start;
      if (got < length && nanos > settings.timeFor(got).toNanos()) {
        throw broken(
            "expected %s, %d bytes, within %d s (%s, %s), found %d bytes after %d s"
                .formatted(
                    shown,
                    length,
                    settings.timeFor(length).toSeconds(),
                    settings.keys().timeout(),
                    settings.keys().minRate(),
                    got,
                    TimeUnit.NANOSECONDS.toSeconds(nanos)),
            null);
      }
    }
  }

  private void refuseIfClosed(String shown, @Nullable Exception cause) throws StoreFault {
    if (closed) {
      throw new StoreFault(
          Kind.FINAL, "cannot get %s: the store is closed".formatted(shown), cause);
    }
  }

  private static StoreFault broken(String message, @Nullable Exception cause) {
    return new StoreFault(Kind.BROKEN, message, cause);
  }

  /** Ends the transfers that are under way; the client stays open. */
  @Override
  public void close() {
    closed = true;
    transfers.forEach(ResponseInputStream::abort);
  }
}
