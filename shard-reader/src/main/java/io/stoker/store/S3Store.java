package io.stoker.store;

import io.stoker.format.ShardFormatException;
import io.stoker.store.StoreFault.Kind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;

/**
 * A dataset on S3 or on a store that speaks its protocol: one ranged GET per range. The version of
 * an object that is seen first is the one that is read: later requests demand its ETag.
 */
final class S3Store implements DatasetStore {
  /** Requests of all threads at the same time; the prefetcher has fewer threads. */
  private static final int MOST_REQUESTS = 64;

  private final S3Client client;
  private final S3Settings settings;
  private final S3Credentials credentials;
  private final TransferCounters counters;
  private final S3Gets gets;
  private final Retries retries;
  private final Map<String, String> etags = new ConcurrentHashMap<>();
  private final Map<String, String> abandonedEtags = new ConcurrentHashMap<>();

  private S3Store(
      S3Client client,
      S3Settings settings,
      S3Credentials credentials,
      TransferCounters counters,
      Retries.Waits waits) {
    this.client = client;
    this.settings = settings;
    this.credentials = credentials;
    this.counters = counters;
    this.gets = new S3Gets(client, credentials::renew, settings.retry());
    this.retries =
        new Retries(MOST_REQUESTS, (fault, limit) -> counters.retries.increment(), waits);
  }

  static S3Store open(S3Settings settings, TransferCounters counters, Retries.Waits waits)
      throws DatasetUnavailableException {
    S3Credentials credentials = new S3Credentials();
    return new S3Store(settings.client(credentials), settings, credentials, counters, waits);
  }

  @Override
  public boolean isRemote() {
    return true;
  }

  @Override
  public byte[] read(String name, long limit) throws IOException {
    S3Gets.Target<RuntimeException> target =
        answer -> {
          if (answer.contentLength() > limit) {
            throw wrong(name, "length", "at most " + limit, answer.contentLength());
          }
          return ByteBuffer.allocate(answer.contentLength().intValue());
        };
    return retrying(name, S3Settings.AT_OPEN, null, target).body().array();
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
    String range = offset + "-" + (offset + target.remaining() - 1);
    String expected = "bytes " + range + "/" + fileBytes;
    S3Gets.Target<RuntimeException> checked =
        answer -> {
          // Also null when a server ignores the range and sends everything.
          if (!expected.equals(answer.contentRange())) {
            throw wrong(name, "content range", expected, answer.contentRange() + "");
          }
          return target.position(position);
        };
    S3Gets.Got got = retrying(name, settings.retry(), "bytes=" + range, checked);
    if (got.answer().eTag() != null) {
      etags.putIfAbsent(name, got.answer().eTag());
    }
  }

  private static StoreFault wrong(String name, String what, Object expected, Object found) {
    ShardFormatException e = ShardFormatException.mismatch(name, what, expected, found);
    return new StoreFault(Kind.WRONG, String.valueOf(e.getMessage()), e);
  }

  private S3Gets.Got retrying(
      String name,
      RetrySettings retry,
      @Nullable String range,
      S3Gets.Target<RuntimeException> target)
      throws IOException {
    try {
      return retries.call(retry, () -> once(name, range, target));
    } catch (StoreFault e) {
      if (e.kind() == Kind.MISSING) {
        NoSuchFileException missing = new NoSuchFileException(settings.uri(name));
        missing.initCause(e);
        throw missing;
      }
      throw e.getCause() instanceof ShardFormatException wrong ? wrong : e;
    }
  }

  private S3Gets.Got once(
      String name, @Nullable String range, S3Gets.Target<RuntimeException> target)
      throws IOException {
    @Nullable String etag = etags.get(name);
    GetObjectRequest request =
        GetObjectRequest.builder()
            .bucket(settings.bucket())
            .key(settings.prefix() + name)
            .range(range)
            .ifMatch(etag)
            .build();
    counters.requests.increment();
    try {
      S3Gets.Got got = gets.get(request, settings.uri(name), target);
      counters.bytes.add(got.bytes());
      return got;
    } catch (StoreFault e) {
      if (e.kind() == Kind.CHANGED && etag != null) {
        acceptOnce(name, etag, e);
      }
      throw e;
    }
  }

  /**
   * Accepts that an object was written again, once: perhaps it is a copy of the same content, and
   * the checksums of the blocks tell whether it is. Other requests may learn of the same change.
   */
  private void acceptOnce(String name, String etag, StoreFault changed) throws StoreFault {
    @Nullable String abandoned = abandonedEtags.putIfAbsent(name, etag);
    if (abandoned != null && !abandoned.equals(etag)) {
      throw new StoreFault(
          Kind.FINAL,
          settings.uri(name) + ": the object has changed while it was being read",
          changed);
    }
    etags.remove(name, etag);
  }

  @Override
  public void close() {
    gets.close();
    client.close();
    credentials.close();
  }
}
