package io.stoker.preprocess.fetch;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.s3a.DefaultS3ClientFactory;
import software.amazon.awssdk.core.client.config.ClientOverrideConfiguration;
import software.amazon.awssdk.retries.DefaultRetryStrategy;

/**
 * S3A's clients, but without the SDK's retries and without its own way to slow down: both are the
 * work of {@link io.stoker.store.Retries}. S3A builds this class by its name.
 */
final class OneAttemptClients extends DefaultS3ClientFactory {
  @Override
  protected ClientOverrideConfiguration.Builder createClientOverrideConfiguration(
      S3ClientCreationParameters parameters, Configuration configuration) throws IOException {
    return super.createClientOverrideConfiguration(parameters, configuration)
        .retryStrategy(DefaultRetryStrategy.doNotRetry());
  }
}
