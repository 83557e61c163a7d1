package io.stoker.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class TransferPartsTest {
  private static final long SECOND = 1_000_000_000L;

  /** F09: a body of which one byte comes each second. */
  @Test
  void bodiesThatTrickleAreGivenUp() {
    AtomicLong clock = new AtomicLong();
    InputStream trickle =
        new InputStream() {
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
    TransferRate rate = new TransferRate(60 * SECOND, 1000, clock::get);
    ByteBuffer target = ByteBuffer.allocate(4000);
    SocketTimeoutException e =
        assertThrows(SocketTimeoutException.class, () -> rate.read(trickle, target, 0));
    assertEquals("only 6 of 4000 bytes after 6000 ms", e.getMessage());
    TransferRate patient = new TransferRate(60 * SECOND, 0, clock::get);
    clock.set(0);
    e = assertThrows(SocketTimeoutException.class, () -> patient.read(trickle, target.clear(), 0));
    assertEquals("only 61 of 4000 bytes after 61000 ms", e.getMessage());
  }

  @Test
  void bodiesAreCounted() throws IOException {
    TransferRate rate = new TransferRate(SECOND, 1, () -> 0);
    ByteBuffer target = ByteBuffer.allocate(10);
    rate.read(new ByteArrayInputStream(new byte[10]), target, 0);
    assertEquals(10, target.position());
    EOFException e =
        assertThrows(
            EOFException.class,
            () -> rate.read(new ByteArrayInputStream(new byte[9]), target.clear(), 0));
    assertEquals("the body ended after 9 of 10 bytes", e.getMessage());
  }

  @Test
  void limitFallsFastAndRisesSlowly() throws InterruptedException {
    AdaptiveLimit limit = new AdaptiveLimit(8);
    limit.slowDown();
    limit.slowDown();
    assertEquals(2, limit.limit());
    limit.succeeded();
    limit.succeeded();
    limit.succeeded();
    assertEquals(3, limit.limit());
    for (int i = 0; i < 100; i++) {
      limit.succeeded();
    }
    assertEquals(8, limit.limit());
    for (int i = 0; i < 100; i++) {
      limit.slowDown();
    }
    assertEquals(1, limit.limit());
    limit.acquire();
    limit.release();
  }

  @Test
  void pausesGrowAndAreCapped() throws InterruptedException {
    List<Long> pauses = new ArrayList<>();
    Backoff backoff = new Backoff(bound -> bound - 1, pauses::add);
    for (int failures = 1; failures <= 12; failures++) {
      backoff.pause(failures);
    }
    assertEquals(List.of(100L, 200L, 400L, 800L, 1600L, 3200L, 5000L), pauses.subList(0, 7));
    assertEquals(5000L, pauses.get(11));
  }
}
