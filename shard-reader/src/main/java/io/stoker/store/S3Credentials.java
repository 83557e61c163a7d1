package io.stoker.store;

import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;

/** The default chain of the SDK, which can be made to forget what it keeps. Thread-safe. */
final class S3Credentials implements AwsCredentialsProvider, AutoCloseable {
  private DefaultCredentialsProvider chain = DefaultCredentialsProvider.builder().build();

  @Override
  public synchronized AwsCredentials resolveCredentials() {
    return chain.resolveCredentials();
  }

  /** Forgets credentials that a server has called expired; the next request looks for new ones. */
  synchronized void renew() {
    chain.close();
    chain = DefaultCredentialsProvider.builder().build();
  }

  @Override
  public synchronized void close() {
    chain.close();
  }
}
