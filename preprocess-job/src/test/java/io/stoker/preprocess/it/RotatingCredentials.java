package io.stoker.preprocess.it;

import java.util.concurrent.atomic.AtomicInteger;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;

/** Gives another session every time it is asked. S3A builds it by name. */
public final class RotatingCredentials implements AwsCredentialsProvider {
  private final AtomicInteger asked = new AtomicInteger();

  @Override
  public AwsCredentials resolveCredentials() {
    return AwsSessionCredentials.create(
        S3Server.ID, S3Server.SECRET, "token-" + asked.incrementAndGet());
  }
}
