package io.stoker.reader;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.stoker.fixture.TestDataset;
import io.stoker.format.PixelLayout;
import io.stoker.plan.Cursor;
import io.stoker.plan.PlanSettings;
import io.stoker.plan.RankSpec;
import io.stoker.plan.Remainder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PaddingTest {
  // 17 packs: 3 steps of 8, of which 7 places are padding.
  private static final PlanSettings PLAN = new PlanSettings(3, 8, 2, Remainder.PAD);

  private final Path root;

  PaddingTest(@TempDir Path root) {
    this.root = root;
  }

  @BeforeEach
  void write() throws IOException {
    TestDataset.write(
        root, "d", PixelLayout.UINT8, new int[] {3, 2, 4}, new int[] {1, 5}, new int[] {2});
  }

  private RankReader open(ReaderOptions options) throws IOException {
    return RankReader.open(root, new RankSpec(0, 1), options);
  }

  @Test
  void paddingHasItsOwnContentButNoLoss() throws IOException {
    List<Integer> real = new ArrayList<>();
    List<Integer> padding = new ArrayList<>();
    try (RankReader reader = open(ReaderOptions.of(PLAN))) {
      assertEquals(3, reader.steps());
      while (reader.hasNext()) {
        try (Batch batch = reader.next()) {
          List<Long> all = new ArrayList<>();
          for (int i = 0; i < batch.packs(); i++) {
            Pack pack = batch.pack(i);
            int number = Integer.parseInt(pack.sampleIds().get(0).substring(1));
            long[] ids = TestDataset.inputIds(number);
            assertArrayEquals(ids, longs(pack.tensor("input_ids")));
            long[] labels = ids.clone();
            if (pack.padding()) {
              Arrays.fill(labels, -100);
            }
            assertArrayEquals(labels, longs(pack.tensor("labels")));
            Arrays.stream(labels).forEach(all::add);
            assertArrayEquals(new long[] {1, ids.length}, pack.tensor("labels").shape());
            ByteBuffer data = pack.tensor("labels").data();
            assertTrue(data.isDirect() && data.isReadOnly());
            (pack.padding() ? padding : real).add(number);
          }
          assertEquals(all, Arrays.stream(longs(batch.tensor("labels"))).boxed().toList());
        }
      }
    }
    assertEquals(17, real.stream().distinct().count());
    assertEquals(17, real.size());
    assertEquals(7, padding.size());
  }

  private static long[] longs(Tensor tensor) {
    long[] values = new long[tensor.data().remaining() / Long.BYTES];
    tensor.data().asLongBuffer().get(values);
    return values;
  }

  @Test
  void anEpochEndIsTheStartOfTheNext() throws IOException {
    List<String> first = new ArrayList<>();
    Cursor end;
    try (RankReader reader = open(ReaderOptions.of(PLAN))) {
      while (reader.hasNext()) {
        first.addAll(reader.next().sampleIds());
      }
      end = reader.cursor();
    }
    assertEquals(Cursor.of("d", PLAN, 1, 0), end);
    List<String> second = new ArrayList<>();
    try (RankReader reader = open(ReaderOptions.of(PLAN).resumedAt(end))) {
      assertEquals(end, reader.cursor(), "resumed twice in a row");
      while (reader.hasNext()) {
        Batch batch = reader.next();
        assertEquals(1, batch.epoch());
        second.addAll(batch.sampleIds());
      }
      assertEquals(Cursor.of("d", PLAN, 2, 0), reader.cursor());
    }
    try (RankReader reader = open(ReaderOptions.of(PLAN).withEpochs(2))) {
      List<String> both = new ArrayList<>();
      while (reader.hasNext()) {
        both.addAll(reader.next().sampleIds());
      }
      first.addAll(second);
      assertEquals(first, both);
    }
  }

  @Test
  void zeroLossBufferIsSharedAndGrows() {
    ZeroLoss zeroLoss = new ZeroLoss();
    assertFalse(zeroLoss.labels(0).hasRemaining());
    ByteBuffer few = zeroLoss.labels(3);
    ByteBuffer many = zeroLoss.labels(1000);
    for (int i = 0; i < 1000; i++) {
      assertEquals(-100, many.getLong(8 * i));
    }
    assertEquals(24, few.remaining());
    assertEquals(-100, few.getLong(16));
    assertEquals(16, zeroLoss.labels(2).remaining());
  }
}
