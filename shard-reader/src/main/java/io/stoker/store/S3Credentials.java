package io.stoker.store;

import java.util.concurrent.CompletableFuture;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;
import software.amazon.awssdk.identity.spi.ResolveIdentityRequest;

/**
 * The SDK's default chain, which can be told that what it has cached is no longer good.
 * Thread-safe.
 */
final class S3Credentials implements AwsCredentialsProvider, AutoCloseable {
  private DefaultCredentialsProvider chain = DefaultCredentialsProvider.builder().build();

  @Override
  public synchronized AwsCredentials resolveCredentials() {
    return chain.resolveCredentials();
  }

  @Override
  public CompletableFuture<AwsCredentialsIdentity> resolveIdentity(ResolveIdentityRequest request) {
    return CompletableFuture.completedFuture(resolveCredentials());
  }

  /** Forgets credentials that a server has called expired; the next request looks for new ones. */
  synchronized void refresh() {
    chain.close();
    chain = DefaultCredentialsProvider.builder().build();
  }

  @Override
  public synchronized void close() {
    chain.close();
  }
}
