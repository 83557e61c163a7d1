package io.stoker.preprocess.fetch;

import static io.stoker.preprocess.reject.RejectReason.IMAGE_MISSING;
import static io.stoker.preprocess.reject.RejectReason.IMAGE_TOO_LARGE;

import io.stoker.preprocess.reject.SampleRejectedException;
import io.stoker.store.RetrySettings;
import io.stoker.store.S3Gets;
import io.stoker.store.StoreFault;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.s3a.AWSCredentialProviderList;
import org.apache.hadoop.fs.s3a.Constants;
import org.apache.hadoop.fs.s3a.S3AFileSystem;
import org.apache.hadoop.fs.store.audit.AuditSpan;
import org.apache.hadoop.io.IOUtils;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;

/**
 * Objects on S3, one GET each and no HEAD, through a client that S3A builds from the user's {@code
 * fs.s3a.*} settings. Opening objects as files would ask for their status first.
 *
 * <p>The file systems are this class's own, one per bucket, because their clients differ from the
 * user's in two things: they make one attempt, and they wait as long for a silent server as {@code
 * fetch.timeout} says. To say so with each request would cost a tenth of the time that a request
 * takes.
 */
final class S3aStore implements ObjectStore {
  private final Configuration configuration;
  private final RetrySettings settings;
  private final Map<String, Bucket> buckets = new ConcurrentHashMap<>();
  private volatile boolean etagsAreHashes = true;

  private record Bucket(S3AFileSystem fileSystem, S3Gets gets) {}

  S3aStore(Configuration configuration, RetrySettings settings) {
    this.configuration = configuration;
    this.settings = settings;
  }

  @Override
  public byte[] get(MediaSource.Stored source, long maxBytes)
      throws IOException, SampleRejectedException {
    Bucket bucket = bucket(source.authority());
    try (AuditSpan span =
        bucket.fileSystem().createSpan("stoker_get", source.key(), null).activate()) {
      return verified(bucket.gets(), source, maxBytes);
    } catch (StoreFault fault) {
      if (fault.kind() == StoreFault.Kind.MISSING) {
        throw new SampleRejectedException(IMAGE_MISSING, "no object at " + source);
      }
      throw fault;
    }
  }

  private Bucket bucket(String name) throws IOException {
    try {
      return buckets.computeIfAbsent(name, this::open);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private Bucket open(String name) {
    Configuration own = new Configuration(configuration);
    for (String prefix : new String[] {"fs.s3a.", "fs.s3a.bucket." + name + "."}) {
      own.set(prefix + "attempts.maximum", "0");
      own.set(prefix + "connection.timeout", settings.timeout().toMillis() + "ms");
    }
    // A factory of the user's own stays; its client slows down by itself when a store is busy.
    own.setIfUnset(Constants.S3_CLIENT_FACTORY_IMPL, OneAttemptClients.class.getName());
    try {
      S3AFileSystem fileSystem =
          (S3AFileSystem) FileSystem.newInstance(new Path("s3a", name, "/").toUri(), own);
      S3Gets gets =
          new S3Gets(
              fileSystem.getS3AInternals().getAmazonS3Client("stoker: get media"),
              () -> renewCredentials(fileSystem),
              settings);
      return new Bucket(fileSystem, gets);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** S3A asks all providers at each request; those that keep credentials are told to forget. */
  // Deprecated, and nothing has taken its place.
  @SuppressWarnings("deprecation")
  private static void renewCredentials(S3AFileSystem fileSystem) {
    try (AWSCredentialProviderList providers =
        fileSystem.getS3AInternals().shareCredentials("stoker: renew")) {
      providers.refresh();
    }
  }

  /** The ETag of an object that was written in one piece is, in most stores, its MD5. */
  private byte[] verified(S3Gets gets, MediaSource.Stored source, long maxBytes)
      throws IOException, SampleRejectedException {
    S3Gets.Got first = once(gets, source, maxBytes);
    if (!etagsAreHashes || EtagCheck.agrees(first)) {
      return first.body().array();
    }
    S3Gets.Got second = once(gets, source, maxBytes);
    if (EtagCheck.agrees(second)) {
      return second.body().array();
    }
    if (Arrays.equals(first.body().array(), second.body().array())) {
      // The same damage does not come twice: the ETags of this store are something else.
      etagsAreHashes = false;
      return first.body().array();
    }
    throw new StoreFault(
        StoreFault.Kind.BROKEN,
        "expected bytes of %s that fit its ETag, found others, twice".formatted(source),
        null);
  }

  private S3Gets.Got once(S3Gets gets, MediaSource.Stored source, long maxBytes)
      throws IOException, SampleRejectedException {
    GetObjectRequest request =
        GetObjectRequest.builder()
            .bucket(source.authority())
            .key(source.key())
            .overrideConfiguration(override -> override.apiCallTimeout(settings.timeout()))
            .build();
    return gets.get(request, source.toString(), answer -> target(answer, source, maxBytes));
  }

  private static ByteBuffer target(
      GetObjectResponse answer, MediaSource.Stored source, long maxBytes)
      throws SampleRejectedException {
    long length = answer.contentLength();
    if (length > maxBytes) {
      throw new SampleRejectedException(
          IMAGE_TOO_LARGE,
          "expected at most %d bytes, found %d in %s".formatted(maxBytes, length, source));
    }
    return ByteBuffer.allocate((int) length);
  }

  @Override
  public void close() {
    for (Bucket bucket : buckets.values()) {
      bucket.gets().close();
      IOUtils.closeStream(bucket.fileSystem());
    }
  }
}
