package io.stoker.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.stoker.store.StoreFault.Kind;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.sync.ResponseTransformer;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;

/** Bodies that a test makes up. */
class S3GetsTest {
  private static final long SECOND = 1_000_000_000L;
  private static final String SHOWN = "s3://bucket/a";
  private static final RetrySettings.Keys KEYS = new RetrySettings.Keys("a", "t", "r", "d");

  private final AtomicLong clock = new AtomicLong();
  private final AtomicBoolean aborted = new AtomicBoolean();

  private ByteBuffer get(
      InputStream body, @Nullable Long announced, int length, Duration timeout, long minRate)
      throws IOException {
    S3Client client =
        new S3Client() {
          @Override
          public <T> T getObject(
              GetObjectRequest request, ResponseTransformer<GetObjectResponse, T> transformer) {
            GetObjectResponse answer = GetObjectResponse.builder().contentLength(announced).build();
            @SuppressWarnings("unchecked") // S3Gets asks for a stream.
            T in =
                (T)
                    new ResponseInputStream<>(
                        answer, AbortableInputStream.create(body, () -> aborted.set(true)));
            return in;
          }

          @Override
          public String serviceName() {
            return "s3";
          }

          @Override
          public void close() {}
        };
    RetrySettings settings = new RetrySettings(3, timeout, minRate, Duration.ofMinutes(1), KEYS);
    try (S3Gets gets = new S3Gets(client, () -> {}, settings, clock::get)) {
      S3Gets.Target<RuntimeException> target = answer -> ByteBuffer.allocate(length);
      return gets.get(GetObjectRequest.builder().build(), SHOWN, target).body();
    }
  }

  private StoreFault fault(
      InputStream body, @Nullable Long announced, int length, Duration timeout, long minRate) {
    return assertThrows(StoreFault.class, () -> get(body, announced, length, timeout, minRate));
  }

  /** A body of which one byte comes each second. */
  private InputStream trickle() {
    return new InputStream() {
      @Override
      public int read() {
        clock.addAndGet(SECOND);
        return 7;
      }

      @Override
      public int read(byte[] bytes, int offset, int length) {
        bytes[offset] = (byte) read();
        return 1;
      }
    };
  }

  /** F09. */
  @Test
  void bodiesThatTrickleAreGivenUp() throws IOException {
    StoreFault e = fault(trickle(), 4000L, 4000, Duration.ofSeconds(5), 1000);
    assertEquals(Kind.BROKEN, e.kind());
    assertEquals(
        "expected s3://bucket/a, 4000 bytes, within 9 s (t, r), found 6 bytes after 6 s",
        e.getMessage());
    assertTrue(aborted.get());
    clock.set(0);
    e = fault(trickle(), 4000L, 4000, Duration.ofSeconds(60), 2);
    assertTrue(String.valueOf(e.getMessage()).endsWith("found 121 bytes after 121 s"), e::toString);
    clock.set(0);
    assertEquals(4000, get(trickle(), 4000L, 4000, Duration.ofSeconds(5), 1).position());
  }

  @Test
  void bodiesAreCounted() throws IOException {
    byte[] bytes = {1, 2, 3};
    Duration second = Duration.ofSeconds(1);
    assertArrayEquals(bytes, get(new ByteArrayInputStream(bytes), 3L, 3, second, 1).array());
    assertTrue(!aborted.get());
    StoreFault e = fault(new ByteArrayInputStream(bytes), 4L, 4, second, 1);
    assertEquals(Kind.BROKEN, e.kind());
    assertEquals("expected 4 bytes of s3://bucket/a, found 3", e.getMessage());
    e = fault(new ByteArrayInputStream(bytes), null, 3, second, 1);
    assertEquals(Kind.WRONG, e.kind());
    assertEquals("expected the length of s3://bucket/a, found none", e.getMessage());
  }

  @Test
  void anInterruptedThreadReadsNoFurther() {
    Thread.currentThread().interrupt();
    assertThrows(
        InterruptedIOException.class, () -> get(trickle(), 4000L, 4000, Duration.ofSeconds(5), 1));
    assertTrue(Thread.interrupted());
    assertTrue(aborted.get());
  }
}
