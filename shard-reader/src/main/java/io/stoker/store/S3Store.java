package io.stoker.store;

import io.stoker.format.ShardFormatException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;

/**
 * A dataset on S3 or a store that speaks its protocol: one ranged GET per range. The version of an
 * object that is seen first is the one that is read: later requests demand its ETag. What may
 * succeed the next time is repeated here, not by the SDK, which would not see bodies that break
 * off, and would not lower the number of requests.
 */
final class S3Store implements DatasetStore {
  private static final int SMALL_OBJECT_ATTEMPTS = 8;
  private static final int WRONG_ANSWERS = 3;

  private final S3Client client;
  private final S3Settings settings;
  private final S3Credentials credentials;
  private final TransferCounters counters;
  private final Backoff backoff;
  private final AdaptiveLimit limit = new AdaptiveLimit(S3Settings.MAX_IN_FLIGHT);
  private final Map<String, String> etags = new ConcurrentHashMap<>();
  private final Set<String> restarted = ConcurrentHashMap.newKeySet();
  private final Set<ResponseInputStream<?>> transfers = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  S3Store(
      S3Client client,
      S3Settings settings,
      S3Credentials credentials,
      TransferCounters counters,
      Backoff backoff) {
    this.client = client;
    this.settings = settings;
    this.credentials = credentials;
    this.counters = counters;
    this.backoff = backoff;
  }

  @Override
  public boolean isRemote() {
    return true;
  }

  @Override
  public byte[] read(String name, long limit) throws IOException {
    int attempts = Math.min(SMALL_OBJECT_ATTEMPTS, settings.maxAttempts());
    return retrying(name, attempts, () -> readOnce(name, limit));
  }

  private byte[] readOnce(String name, long limit) throws IOException {
    long start = System.nanoTime();
    try (ResponseInputStream<GetObjectResponse> in = get(name, null)) {
      long length = in.response().contentLength();
      if (length > limit) {
        in.abort();
        throw ShardFormatException.mismatch(name, "length", "at most " + limit, length);
      }
      ByteBuffer bytes = ByteBuffer.allocate((int) length);
      transfer(in, bytes, start);
      return bytes.array();
    }
  }

  @Override
  public ByteBuffer map(String name, long fileBytes, long offset, long length) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocateDirect(Math.toIntExact(length));
    fetch(name, fileBytes, offset, buffer);
    return buffer.flip().asReadOnlyBuffer();
  }

  @Override
  public void fetch(String name, long fileBytes, long offset, ByteBuffer target)
      throws IOException {
    int position = target.position();
    retrying(
        name,
        settings.maxAttempts(),
        () -> {
          fetchOnce(name, fileBytes, offset, target.position(position));
          return target;
        });
  }

  private void fetchOnce(String name, long fileBytes, long offset, ByteBuffer target)
      throws IOException {
    long start = System.nanoTime();
    String range = offset + "-" + (offset + target.remaining() - 1);
    try (ResponseInputStream<GetObjectResponse> in = get(name, "bytes=" + range)) {
      String expected = "bytes " + range + "/" + fileBytes;
      // Also null when a server ignores the range and sends everything.
      if (!expected.equals(in.response().contentRange())) {
        in.abort();
        throw ShardFormatException.mismatch(
            name, "content range", expected, in.response().contentRange() + "");
      }
      transfer(in, target, start);
      String etag = in.response().eTag();
      if (etag != null) {
        etags.putIfAbsent(name, etag);
      }
    }
  }

  private void transfer(ResponseInputStream<?> in, ByteBuffer target, long start)
      throws IOException {
    transfers.add(in);
    try {
      if (closed) {
        throw new IOException("the store is closed");
      }
      int length = target.remaining();
      settings.rate().read(in, target, start);
      counters.bytes.add(length);
    } catch (IOException e) {
      // Not only closed: that would read the rest to keep the connection.
      in.abort();
      throw e;
    } finally {
      transfers.remove(in);
    }
  }

  private ResponseInputStream<GetObjectResponse> get(String name, @Nullable String range) {
    counters.requests.increment();
    return client.getObject(
        GetObjectRequest.builder()
            .bucket(settings.bucket())
            .key(settings.prefix() + name)
            .range(range)
            .ifMatch(etags.get(name))
            .build());
  }

  @FunctionalInterface
  private interface Attempt<T> {
    T run() throws IOException;
  }

  private <T> T retrying(String name, int attempts, Attempt<T> attempt) throws IOException {
    int wrongAnswers = 0;
    for (int failures = 1; ; failures++) {
      Exception failure;
      try {
        T result = limited(attempt);
        limit.succeeded();
        return result;
      } catch (IOException | SdkException e) {
        failure = e;
      } catch (InterruptedException e) {
        throw interrupted(name, e);
      }
      S3Fault fault = S3Fault.of(failure);
      wrongAnswers += fault == S3Fault.WRONG_ANSWER ? 1 : 0;
      if (closed
          || Thread.currentThread().isInterrupted()
          || failures == attempts
          || wrongAnswers == WRONG_ANSWERS
          || !prepareAnother(name, fault)) {
        throw given(name, fault, failure, failures);
      }
      counters.retries.increment();
      try {
        backoff.pause(failures);
      } catch (InterruptedException e) {
        throw interrupted(name, e);
      }
    }
  }

  private <T> T limited(Attempt<T> attempt) throws IOException, InterruptedException {
    limit.acquire();
    try {
      return attempt.run();
    } finally {
      limit.release();
    }
  }

  /** Does what another attempt needs; returns whether it makes sense. */
  private boolean prepareAnother(String name, S3Fault fault) {
    switch (fault) {
      case PERMANENT, MISSING -> {
        return false;
      }
      case CHANGED -> {
        // Written again with the same content, perhaps: the checksums of the blocks will tell.
        etags.remove(name);
        return restarted.add(name);
      }
      case EXPIRED -> credentials.refresh();
      case SLOW_DOWN -> limit.slowDown();
      case TRANSIENT, WRONG_ANSWER -> {}
    }
    return true;
  }

  private IOException given(String name, S3Fault fault, Exception failure, int attempts) {
    String uri = settings.uri(name);
    if (fault == S3Fault.MISSING) {
      NoSuchFileException missing = new NoSuchFileException(uri);
      missing.initCause(failure);
      return missing;
    }
    if (failure instanceof ShardFormatException wrong) {
      return wrong;
    }
    String problem =
        fault == S3Fault.CHANGED
            ? "the object has changed while it was being read"
            : attempts == 1
                ? failure.getMessage()
                : attempts + " attempts failed, the last: " + failure.getMessage();
    return new IOException(uri + ": " + problem, failure);
  }

  private InterruptedIOException interrupted(String name, InterruptedException cause) {
    Thread.currentThread().interrupt();
    InterruptedIOException e = new InterruptedIOException(settings.uri(name) + ": interrupted");
    e.initCause(cause);
    return e;
  }

  @Override
  public void close() {
    closed = true;
    transfers.forEach(ResponseInputStream::abort);
    client.close();
    credentials.close();
  }
}
