package io.stoker.preprocess.fetch;

import io.stoker.fixture.StoreContract;
import io.stoker.preprocess.reject.RejectReason;
import io.stoker.preprocess.reject.SampleRejectedException;
import io.stoker.store.Retries;
import io.stoker.store.RetrySettings;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.s3a.impl.AWSClientConfig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.auth.credentials.SystemPropertyCredentialsProvider;

/** The store that the job reads images from. */
class S3aStoreContractTest extends StoreContract {
  S3aStoreContractTest(@TempDir Path bucket) throws IOException {
    super(bucket);
  }

  /** S3A waits for 15 s at least, which is more than a test should. */
  @BeforeEach
  void allowShortWaits() {
    AWSClientConfig.setMinimumOperationDuration(Duration.ofMillis(1));
  }

  @AfterEach
  void forbidShortWaits() {
    AWSClientConfig.resetMinimumOperationDuration();
  }

  @Override
  protected Side open(String endpoint, RetrySettings settings) {
    Configuration configuration = new Configuration();
    configuration.set("fs.s3a.endpoint", endpoint);
    configuration.set("fs.s3a.endpoint.region", "us-east-1");
    configuration.set("fs.s3a.path.style.access", "true");
    configuration.set(
        "fs.s3a.aws.credentials.provider", SystemPropertyCredentialsProvider.class.getName());
    S3aStore store = new S3aStore(configuration, settings);
    Retries retries = new Retries(8, (fault, limit) -> {});
    return new Side() {
      @Override
      public byte[] get(String name) throws Exception {
        MediaSource.Stored source = new MediaSource.Stored("s3a", "bucket", name, List.of(""));
        return retries.call(settings, () -> store.get(source, 1 << 20));
      }

      @Override
      public void close() {
        store.close();
      }
    };
  }

  @Override
  protected boolean saysMissing(Exception e) {
    return e instanceof SampleRejectedException rejected
        && rejected.reason() == RejectReason.IMAGE_MISSING;
  }
}
