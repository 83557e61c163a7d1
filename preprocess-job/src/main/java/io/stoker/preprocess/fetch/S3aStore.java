package io.stoker.preprocess.fetch;

import static io.stoker.preprocess.reject.RejectReason.IMAGE_MISSING;
import static io.stoker.preprocess.reject.RejectReason.IMAGE_TOO_LARGE;

import io.stoker.preprocess.reject.SampleRejectedException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.s3a.AWSCredentialProviderList;
import org.apache.hadoop.fs.s3a.S3AFileSystem;
import org.apache.hadoop.fs.store.audit.AuditSpan;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.SdkPlugin;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.retries.DefaultRetryStrategy;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.NoSuchBucketException;
import software.amazon.awssdk.services.s3.model.S3Exception;

/**
 * Objects on S3, one GET each and no HEAD, through the client that S3A built from the user's {@code
 * fs.s3a.*} settings. Opening them as files would ask for their status first.
 */
final class S3aStore implements ObjectStore {
  /**
   * Reading a body fails after the SDK has done its part, so that somebody else must try again; and
   * two who do multiply.
   */
  private static final SdkPlugin ONE_ATTEMPT =
      client ->
          client.overrideConfiguration(
              client.overrideConfiguration().toBuilder()
                  .retryStrategy(DefaultRetryStrategy.doNotRetry())
                  .build());

  private final Configuration configuration;
  private final RetrySettings settings;
  private volatile boolean etagsAreHashes = true;

  S3aStore(Configuration configuration, RetrySettings settings) {
    this.configuration = configuration;
    this.settings = settings;
  }

  @Override
  public byte[] get(MediaSource.Stored source, long maxBytes)
      throws IOException, SampleRejectedException {
    // Hadoop keeps one file system, hence one client, per bucket and process.
    S3AFileSystem fileSystem =
        (S3AFileSystem)
            FileSystem.get(new Path("s3a", source.authority(), "/").toUri(), configuration);
    try (AuditSpan span = fileSystem.createSpan("stoker_get", source.key(), null).activate()) {
      S3Client client = fileSystem.getS3AInternals().getAmazonS3Client("stoker: get media");
      return verified(client, source, maxBytes);
    } catch (AbortedException e) {
      InterruptedIOException interrupted = new InterruptedIOException("interrupted");
      interrupted.initCause(e);
      throw interrupted;
    } catch (SdkException e) {
      if (e instanceof S3Exception answer
          && answer.statusCode() == 404
          && !(e instanceof NoSuchBucketException)) {
        throw new SampleRejectedException(IMAGE_MISSING, "no object at " + source);
      }
      StoreFault fault = S3Faults.of(e, source);
      if (fault.kind() == StoreFault.Kind.EXPIRED) {
        renewCredentials(fileSystem);
      }
      throw fault;
    }
  }

  /**
   * Providers that hold credentials for a while are told not to; all are asked at every request.
   */
  // Deprecated, and nothing has taken its place.
  @SuppressWarnings("deprecation")
  private static void renewCredentials(S3AFileSystem fileSystem) {
    try (AWSCredentialProviderList providers =
        fileSystem.getS3AInternals().shareCredentials("stoker: renew")) {
      providers.refresh();
    }
  }

  /** The ETag of an object that was written in one piece is, in most stores, its MD5. */
  private byte[] verified(S3Client client, MediaSource.Stored source, long maxBytes)
      throws IOException, SampleRejectedException {
    Got first = once(client, source, maxBytes);
    if (!etagsAreHashes || EtagCheck.agrees(first.response(), first.bytes())) {
      return first.bytes();
    }
    Got second = once(client, source, maxBytes);
    if (EtagCheck.agrees(second.response(), second.bytes())) {
      return second.bytes();
    }
    if (Arrays.equals(first.bytes(), second.bytes())) {
      // Twice the same damage is not to be expected: this store's ETags are something else.
      etagsAreHashes = false;
      return first.bytes();
    }
    throw new StoreFault(
        StoreFault.Kind.BROKEN,
        "expected bytes of %s that fit its ETag, found others, twice".formatted(source),
        null);
  }

  private record Got(GetObjectResponse response, byte[] bytes) {}

  private Got once(S3Client client, MediaSource.Stored source, long maxBytes)
      throws IOException, SampleRejectedException {
    try (ResponseInputStream<GetObjectResponse> in =
        client.getObject(
            get ->
                get.bucket(source.authority())
                    .key(source.key())
                    .overrideConfiguration(
                        override ->
                            override.addPlugin(ONE_ATTEMPT).apiCallTimeout(settings.timeout())))) {
      return new Got(in.response(), read(in, source, maxBytes));
    }
  }

  private byte[] read(
      ResponseInputStream<GetObjectResponse> in, MediaSource.Stored source, long maxBytes)
      throws IOException, SampleRejectedException {
    long length = in.response().contentLength();
    if (length > maxBytes) {
      // Closing would read the rest of the body.
      in.abort();
      throw new SampleRejectedException(
          IMAGE_TOO_LARGE,
          "expected at most %d bytes, found %d in %s".formatted(maxBytes, length, source));
    }
    Duration limit = settings.timeFor(length);
    CompletableFuture<Boolean> read = new CompletableFuture<>();
    CompletableFuture<Boolean> expired =
        read.completeOnTimeout(true, limit.toMillis(), TimeUnit.MILLISECONDS)
            .thenApply(
                late -> {
                  if (late) {
                    in.abort();
                  }
                  return late;
                });
    try {
      byte[] bytes = in.readNBytes((int) length);
      read.complete(false);
      if (bytes.length == length && !expired.join()) {
        return bytes;
      }
      throw broken(
          "expected %d bytes of %s, found %d".formatted(length, source, bytes.length), null);
    } catch (StoreFault e) {
      throw e;
    } catch (IOException e) {
      boolean late = !read.complete(false);
      in.abort();
      throw broken(
          late
              ? "expected %s, %d bytes, within %d s (fetch.timeout, fetch.min-rate), found it slower"
                  .formatted(source, length, limit.toSeconds())
              : "cannot read %s: %s".formatted(source, e.getMessage()),
          e);
    }
  }

  private static StoreFault broken(
      String message, @org.jspecify.annotations.Nullable IOException e) {
    return new StoreFault(StoreFault.Kind.BROKEN, message, e);
  }
}
