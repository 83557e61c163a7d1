package io.stoker.reader;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.stoker.fixture.TestDataset;
import io.stoker.format.PixelLayout;
import io.stoker.plan.PlanSettings;
import io.stoker.plan.RankSpec;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class BatchViewTest {
  @Test
  void aSlotIsOfOneBatchUntilItIsGivenBack(@TempDir Path root) throws Exception {
    TestDataset.write(root, "d", PixelLayout.UINT8, new int[] {2, 2, 2});
    ReaderOptions options = ReaderOptions.of(new PlanSettings(1, 2, 2));
    try (RankReader other = RankReader.open(root, new RankSpec(0, 1), options);
        RankReader reader = RankReader.open(root, new RankSpec(0, 1), options)) {
      BatchView view = new BatchView(reader);
      LongBuffer numbers = view.memory().order(ByteOrder.nativeOrder()).asLongBuffer();
      Batch first = other.next();
      Batch second = other.next();
      assertEquals(0, view.poll());
      assertEquals(1, view.poll());
      assertEquals(1, numbers.get(1), "step");
      assertArrayEquals(first.sampleIds().toArray(), view.sampleIds(0));
      assertArrayEquals(second.sampleIds().toArray(), view.sampleIds(1));
      assertArrayEquals(second.pack(1).sampleIds().toArray(), view.sampleIds(1, 1));

      numbers.put(view.released(), 1).put(view.released() + 1, 0);
      assertEquals(0, view.poll());
      assertEquals(0, numbers.get(view.released()), "taken back");
      assertArrayEquals(other.next().sampleIds().toArray(), view.sampleIds(0));

      view.close(1);
      assertThrows(AlreadyClosedException.class, () -> view.sampleIds(1));
      numbers.put(view.released(), 1).put(view.released() + 1, 1);
      assertEquals(-1, view.poll(), "the end");
      assertThrows(NullPointerException.class, () -> view.sampleIds(1));
      view.detach();
      assertThrows(AlreadyClosedException.class, view::poll);
      view.release(0);
      assertThrows(NullPointerException.class, () -> view.sampleIds(0));
    }
  }
}
