package io.stoker.store;

import io.stoker.fixture.StoreContract;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;

/** The store that a training rank reads from. */
class S3StoreContractTest extends StoreContract {
  private static final int LENGTH = 20_000;

  S3StoreContractTest(@TempDir Path bucket) throws IOException {
    super(bucket);
  }

  @Override
  protected Side open(String endpoint, RetrySettings settings) throws IOException {
    Map<String, String> options =
        Map.of(
            StoreOptions.S3_ENDPOINT, endpoint,
            StoreOptions.S3_MAX_ATTEMPTS, Integer.toString(settings.attempts()),
            StoreOptions.S3_REQUEST_TIMEOUT, Long.toString(settings.timeout().toMillis()),
            StoreOptions.S3_MINIMUM_RATE, Long.toString(settings.minRate()),
            StoreOptions.S3_DEADLINE, Long.toString(settings.deadline().toMillis()));
    DatasetStore store =
        DatasetStores.open(URI.create("s3://bucket"), options, new TransferCounters());
    return new Side() {
      @Override
      public byte[] get(String name) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(LENGTH);
        store.fetch(name, LENGTH, 0, bytes);
        return bytes.array();
      }

      @Override
      public void close() {
        store.close();
      }
    };
  }

  @Override
  protected boolean saysMissing(Exception e) {
    return e instanceof NoSuchFileException;
  }
}
