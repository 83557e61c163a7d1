package io.stoker.reader;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.stoker.fixture.TestDataset;
import io.stoker.format.PixelLayout;
import io.stoker.index.BlockEntry;
import io.stoker.index.BlockRef;
import io.stoker.index.ShardEntry;
import io.stoker.plan.PlanSettings;
import io.stoker.plan.RankSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class BatchQueueTest {
  private final Batch batch;
  private final Batch another;

  BatchQueueTest(@TempDir Path root) throws IOException {
    TestDataset.write(root, "d", PixelLayout.UINT8, new int[] {3});
    ReaderOptions options = ReaderOptions.of(new PlanSettings(0, 1, 1));
    try (RankReader reader = RankReader.open(root, new RankSpec(0, 1), options)) {
      batch = reader.next();
      another = reader.next();
    }
  }

  private final List<BlockUse> none = List.of();

  private BatchQueue.Pending ready() {
    return new BatchQueue.Pending(CompletableFuture.completedFuture(batch), none, 0);
  }

  private static BlockUse use(long bytes) {
    BlockEntry entry = new BlockEntry(64, bytes, 1, 1, 1, 0, 0);
    return new BlockUse(new BlockRef(1, new ShardEntry("shard", 1 << 20, 0, 1), entry));
  }

  private static CompletableFuture<Boolean> admit(BatchQueue queue, int blocks, long bytes) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return queue.admit(blocks, bytes);
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        });
  }

  private static void assertWaits(CompletableFuture<?> future) {
    assertThrows(TimeoutException.class, () -> future.get(100, TimeUnit.MILLISECONDS));
  }

  @Test
  void waitsForRoomInBytes() throws Exception {
    BatchQueue queue = new BatchQueue(640, 10, 8);
    BlockUse first = use(384);
    assertTrue(queue.admit(1, 384));
    queue.add(new BatchQueue.Pending(CompletableFuture.completedFuture(batch), List.of(first), 0));
    assertTrue(queue.admit(1, 256));
    assertEquals(new ReaderStats.Buffered(1, 2, 640), queue.buffered());
    CompletableFuture<Boolean> third = admit(queue, 1, 1);
    assertWaits(third);
    assertSame(batch, take(queue).batch());
    assertTrue(third.get());
    assertEquals(new ReaderStats.Buffered(0, 2, 257), queue.buffered());
  }

  @Test
  void waitsForRoomInBlocks() throws Exception {
    BatchQueue queue = new BatchQueue(100, 1, 8);
    assertTrue(queue.admit(1, 64));
    queue.add(
        new BatchQueue.Pending(CompletableFuture.completedFuture(batch), List.of(use(64)), 5));
    CompletableFuture<Boolean> second = admit(queue, 1, 1);
    assertWaits(second);
    take(queue);
    assertTrue(second.get());
  }

  @Test
  void whatTheNextBatchNeedsAlwaysPasses() throws Exception {
    BatchQueue queue = new BatchQueue(1, 1, 1);
    assertTrue(queue.admit(1, 1000));
    assertTrue(queue.admit(1, 1000));
    queue.add(ready());
    CompletableFuture<Boolean> third = admit(queue, 1, 1000);
    assertWaits(third);
    take(queue);
    assertTrue(third.get());
  }

  @Test
  void deliversInOrderWhateverArrivesFirst() throws Exception {
    BatchQueue queue = new BatchQueue(100, 10, 8);
    CompletableFuture<Batch> slow = new CompletableFuture<>();
    Batch second = another;
    queue.add(new BatchQueue.Pending(slow, none, 0));
    queue.add(new BatchQueue.Pending(CompletableFuture.completedFuture(second), none, 0));
    CompletableFuture<Batch> taken = CompletableFuture.supplyAsync(() -> take(queue).batch());
    assertWaits(taken);
    slow.complete(batch);
    assertSame(batch, taken.get());
    assertSame(second, take(queue).batch());
  }

  private static BatchQueue.Taken take(BatchQueue queue) {
    try {
      BatchQueue.Taken taken = queue.poll(Long.MAX_VALUE);
      assertNotNull(taken);
      return taken;
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static CompletableFuture<Boolean> awaitTurn(BatchQueue queue) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return queue.awaitTurn();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        });
  }

  @Test
  void growsDeeperOnlyWhenTheTrainerWaitsAtAFullQueue() throws Exception {
    BatchQueue queue = new BatchQueue(100, 10, 2);
    queue.add(ready());
    queue.add(ready());
    CompletableFuture<Boolean> producer = awaitTurn(queue);
    assertWaits(producer);
    assertFalse(take(queue).waited());
    assertTrue(producer.get());
    assertEquals(2, queue.depth());
    take(queue);
    CompletableFuture<Batch> slow = new CompletableFuture<>();
    queue.add(new BatchQueue.Pending(slow, none, 0));
    CompletableFuture<BatchQueue.Taken> taken = CompletableFuture.supplyAsync(() -> take(queue));
    assertWaits(taken);
    assertTrue(queue.awaitTurn());
    assertEquals(2, queue.depth(), "the queue is not full");
    queue.add(ready());
    assertTrue(queue.awaitTurn(), "it is now, but more depth may help");
    assertEquals(4, queue.depth());
    queue.add(ready());
    queue.add(ready());
    producer = awaitTurn(queue);
    assertWaits(producer);
    assertEquals(4, queue.depth(), "once for each wait");
    slow.complete(batch);
    assertTrue(taken.get().waited());
    assertTrue(producer.get());
  }

  @Test
  void closingWakesBothSides() throws Exception {
    BatchQueue queue = new BatchQueue(1, 1, 1);
    queue.add(new BatchQueue.Pending(new CompletableFuture<>(), none, 0));
    CompletableFuture<Boolean> producer = admit(queue, 1, 10);
    CompletableFuture<Throwable> consumer =
        CompletableFuture.supplyAsync(
            () -> assertThrows(AlreadyClosedException.class, () -> queue.poll(Long.MAX_VALUE)));
    assertWaits(producer);
    queue.close();
    assertFalse(producer.get());
    assertEquals("the reader is closed", consumer.get().getMessage());
    assertThrows(AlreadyClosedException.class, () -> queue.poll(Long.MAX_VALUE));
    assertFalse(queue.awaitTurn());
    queue.add(ready());
    assertThrows(AlreadyClosedException.class, () -> queue.poll(Long.MAX_VALUE));
  }

  @Test
  void patienceEnds() throws Exception {
    BatchQueue queue = new BatchQueue(100, 10, 2);
    assertNull(queue.poll(1_000_000), "nothing there");
    CompletableFuture<Batch> slow = new CompletableFuture<>();
    queue.add(new BatchQueue.Pending(slow, none, 0));
    assertNull(queue.poll(1_000_000), "not ready");
    assertNull(queue.poll(0));
    slow.complete(batch);
    BatchQueue.Taken taken = queue.poll(0);
    assertNotNull(taken);
    assertSame(batch, taken.batch());
    assertFalse(taken.waited());
  }

  @Test
  void failureComesAfterWhatWasReady() throws Exception {
    BatchQueue queue = new BatchQueue(1, 1, 1);
    queue.add(ready());
    IOException failure = new IOException("gone");
    queue.fail(failure);
    assertSame(batch, take(queue).batch());
    assertSame(failure, assertThrows(IOException.class, () -> queue.poll(Long.MAX_VALUE)));
    assertSame(failure, assertThrows(IOException.class, () -> queue.poll(Long.MAX_VALUE)));
  }
}
