package io.stoker.store;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;

/**
 * Where a dataset on S3 lies and how to ask for it.
 *
 * @param bucket the bucket
 * @param prefix what stands before the names of the objects: empty, or ends with a slash
 * @param endpoint the server, or null for that of AWS
 * @param region the region, or null if the environment says it
 * @param pathStyle whether the bucket goes into the path
 * @param retry how long the store may be in trouble
 */
record S3Settings(
    String bucket,
    String prefix,
    @Nullable URI endpoint,
    @Nullable String region,
    boolean pathStyle,
    RetrySettings retry) {
  // More attempts than the preprocessing job grants: nothing above a rank tries again.
  private static final long ATTEMPTS = 40;
  private static final long TIMEOUT_MILLIS = 10_000;
  private static final long MINIMUM_RATE = 64 << 10;
  private static final long DEADLINE_MILLIS = 300_000;
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

  /**
   * For the objects that are read when a dataset is opened. Somebody waits for them, and what is in
   * the way is more often a wrong address than a store in trouble.
   */
  static final RetrySettings AT_OPEN =
      new RetrySettings(
          8,
          Duration.ofMillis(TIMEOUT_MILLIS),
          MINIMUM_RATE,
          Duration.ofSeconds(12),
          new RetrySettings.Keys("8 attempts at open", "", "", "12 s at open"));

  /**
   * Reads the settings.
   *
   * @param location {@code s3://bucket/prefix} or {@code s3a://bucket/prefix}
   * @param options the {@code s3.*} options, see {@link StoreOptions}
   * @throws IllegalArgumentException if the location has no bucket, or has credentials, or a number
   *     is none
   */
  static S3Settings of(URI location, Map<String, String> options) {
    String bucket = location.getAuthority();
    if (bucket == null || bucket.contains("@")) {
      // The message does not repeat it, because it may be a secret.
      throw new IllegalArgumentException(
          "dataset location: expected s3://bucket/prefix, without credentials");
    }
    String endpoint = options.getOrDefault(StoreOptions.S3_ENDPOINT, endpointFromEnvironment());
    String region = options.get(StoreOptions.S3_REGION);
    if (!endpoint.isEmpty() && region == null && System.getenv("AWS_REGION") == null) {
      region = Region.US_EAST_1.id();
    }
    // Servers that are not Amazon's seldom have a host name per bucket.
    String pathStyle =
        options.getOrDefault(StoreOptions.S3_PATH_STYLE, Boolean.toString(!endpoint.isEmpty()));
    String path = location.getPath().replaceAll("^/|/$", "");
    return new S3Settings(
        bucket,
        path.isEmpty() ? "" : path + "/",
        endpoint.isEmpty() ? null : URI.create(endpoint),
        region,
        Boolean.parseBoolean(pathStyle),
        retry(options));
  }

  private static RetrySettings retry(Map<String, String> options) {
    return new RetrySettings(
        (int) number(options, StoreOptions.S3_MAX_ATTEMPTS, ATTEMPTS),
        Duration.ofMillis(number(options, StoreOptions.S3_REQUEST_TIMEOUT, TIMEOUT_MILLIS)),
        number(options, StoreOptions.S3_MINIMUM_RATE, MINIMUM_RATE),
        Duration.ofMillis(number(options, StoreOptions.S3_DEADLINE, DEADLINE_MILLIS)),
        new RetrySettings.Keys(
            StoreOptions.S3_MAX_ATTEMPTS,
            StoreOptions.S3_REQUEST_TIMEOUT,
            StoreOptions.S3_MINIMUM_RATE,
            StoreOptions.S3_DEADLINE));
  }

  private static long number(Map<String, String> options, String key, long missing) {
    String value = options.get(key);
    if (value == null) {
      return missing;
    }
    if (!value.matches("[1-9][0-9]{0,8}")) {
      throw new IllegalArgumentException(key + ": expected a number above 0, found " + value);
    }
    return Long.parseLong(value);
  }

  private static String endpointFromEnvironment() {
    String s3 = System.getenv("AWS_ENDPOINT_URL_S3");
    String all = System.getenv("AWS_ENDPOINT_URL");
    return s3 != null ? s3 : all != null ? all : "";
  }

  /** A client, which makes one attempt per request. */
  S3Client client(S3Credentials credentials) throws DatasetUnavailableException {
    S3ClientBuilder builder =
        S3Client.builder()
            .credentialsProvider(credentials)
            .httpClientBuilder(
                UrlConnectionHttpClient.builder()
                    .connectionTimeout(CONNECT_TIMEOUT)
                    .socketTimeout(retry.timeout()))
            .overrideConfiguration(o -> o.retryStrategy(AwsRetryStrategy.doNotRetry()))
            // Each block has a checksum that this library verifies.
            .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
            .forcePathStyle(pathStyle);
    if (endpoint != null) {
      builder.endpointOverride(endpoint);
    }
    if (region != null) {
      builder.region(Region.of(region));
    }
    try {
      return builder.build();
    } catch (SdkClientException e) {
      throw new DatasetUnavailableException(
          uri(""),
          new IOException(
              "expected a region in AWS_REGION or ~/.aws/config, found none; for a store of your"
                  + " own (AWS_ENDPOINT_URL) any name will do",
              e));
    }
  }

  /** The address of an object, for messages. */
  String uri(String name) {
    return "s3://" + bucket + "/" + prefix + name;
  }
}
