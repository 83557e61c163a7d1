package io.stoker.reader;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.stoker.fixture.TestDataset;
import io.stoker.format.PixelLayout;
import io.stoker.plan.PlanSettings;
import io.stoker.plan.RankSpec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.UInt1Vector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.complex.ListVector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MicroBatchTest {
  private final Path root;

  MicroBatchTest(@TempDir Path root) {
    this.root = root;
  }

  private RankReader open(int microBatch, int... blocks) throws IOException {
    TestDataset.write(root, "d", PixelLayout.UINT8, blocks);
    PlanSettings plan = new PlanSettings(1, microBatch, microBatch);
    return RankReader.open(root, new RankSpec(0, 1), ReaderOptions.of(plan));
  }

  private static int number(Pack pack) {
    return Integer.parseInt(pack.sampleIds().get(0).substring(1));
  }

  /** Checks the tensors of a batch against what the packs of the data set must have. */
  private static void assertConcatenation(Batch batch) {
    List<Integer> boundaries = new ArrayList<>(List.of(0));
    LongStream.Builder ids = LongStream.builder();
    int images = 0;
    List<Integer> pixels = new ArrayList<>();
    for (int i = 0; i < batch.packs(); i++) {
      int pack = number(batch.pack(i));
      long[] own = TestDataset.inputIds(pack);
      int tokens = boundaries.get(boundaries.size() - 1);
      for (int segment = 1; segment <= 1 + pack % 2; segment++) {
        boundaries.add(tokens + segment * own.length / (1 + pack % 2));
      }
      LongStream.of(own).forEach(ids::add);
      images += pack % 3;
      for (int image = 0; image < pack % 3; image++) {
        pixels.add((pack + image) & 255);
      }
    }
    long[] all = ids.build().toArray();
    assertArrayEquals(all, longs(batch.tensor("input_ids")));
    assertArrayEquals(all, longs(batch.tensor("labels")));
    assertArrayEquals(
        IntStream.range(0, 3).boxed().flatMapToLong(axis -> LongStream.of(all)).toArray(),
        longs(batch.tensor("position_ids")));
    assertArrayEquals(new long[] {3, 1, all.length}, batch.tensor("position_ids").shape());
    int[] found = new int[boundaries.size()];
    batch.tensor("cu_seqlens").ints().get(found);
    assertArrayEquals(boundaries.stream().mapToInt(i -> i).toArray(), found);
    assertArrayEquals(new long[] {boundaries.size()}, batch.tensor("cu_seqlens").shape());
    assertArrayEquals(new long[] {images, 3}, batch.tensor("image_grid_thw").shape());
    assertArrayEquals(new long[] {4L * images, 768}, batch.tensor("pixel_values").shape());
    ByteBuffer data = batch.tensor("pixel_values").data();
    for (int image = 0; image < images; image++) {
      assertEquals(pixels.get(image), data.get(image * 4 * 768) & 255);
      assertEquals(pixels.get(image), data.get((image + 1) * 4 * 768 - 1) & 255);
    }
    assertEquals(
        batch.bytes(), batch.tensors().stream().mapToLong(t -> t.data().remaining()).sum());
  }

  private static long[] longs(Tensor tensor) {
    long[] values = new long[(int) tensor.byteLength() / Long.BYTES];
    tensor.longs().get(values);
    return values;
  }

  @Test
  void packsOfOneBlockAreOneSlice() throws IOException {
    try (RankReader reader = open(3, 6, 3)) {
      while (reader.hasNext()) {
        Batch batch = reader.next();
        assertConcatenation(batch);
        assertFalse(batch.isGathered());
        for (String name : List.of("input_ids", "labels", "pixel_values", "image_grid_thw")) {
          assertEquals(
              batch.pack(0).tensor(name).address(), batch.tensor(name).address(), "no copy");
        }
      }
      assertEquals(0, reader.stats().gatheredBatches());
    }
  }

  @Test
  void onePackIsNotCopiedAtAll() throws IOException {
    try (RankReader reader = open(1, 2, 2)) {
      Batch batch = reader.next();
      assertConcatenation(batch);
      for (Tensor tensor : batch.tensors()) {
        assertEquals(batch.pack(0).tensor(tensor.name()).address(), tensor.address());
      }
    }
  }

  @Test
  void packsOfSeveralBlocksAreGathered() throws IOException {
    try (RankReader reader = open(4, 3, 1, 2, 1, 5)) {
      int gathered = 0;
      while (reader.hasNext()) {
        Batch batch = reader.next();
        assertConcatenation(batch);
        gathered += batch.isGathered() ? 1 : 0;
      }
      assertTrue(gathered > 0);
      assertEquals(gathered, reader.stats().gatheredBatches());
    }
  }

  @Test
  void addressIsThatOfTheData() throws IOException {
    try (RankReader reader = open(1, 2)) {
      Tensor ids = reader.next().tensor("input_ids");
      ByteBuffer data = ids.data();
      assertEquals(NativeAddress.of(data), ids.address());
      assertEquals(ids.address() + 8, NativeAddress.of(data.slice(8, 8)));
      assertEquals(data.remaining(), ids.byteLength());
      assertThrows(IllegalStateException.class, ids::ints);
      assertThrows(IllegalStateException.class, ids::floats);
      assertThrows(
          UnsupportedOperationException.class, () -> NativeAddress.of(ByteBuffer.allocate(1)));
    }
  }

  @Test
  void arrowSeesTheSameMemory() throws IOException {
    try (RankReader reader = open(2, 3, 4);
        RootAllocator allocator = new RootAllocator()) {
      while (reader.hasNext()) {
        Batch batch = reader.next();
        long address = batch.tensor("pixel_values").address();
        long[] ids = longs(batch.tensor("input_ids"));
        long[] shape = batch.tensor("pixel_values").shape();
        int first = batch.tensor("pixel_values").data().get(0) & 255;
        try (VectorSchemaRoot arrow = ArrowBatches.toRoot(batch, allocator)) {
          batch.close();
          assertEquals(1, arrow.getRowCount());
          ListVector list = (ListVector) arrow.getVector("input_ids");
          BigIntVector values = (BigIntVector) list.getDataVector();
          assertEquals(ids.length, list.getElementEndIndex(0));
          for (int i = 0; i < ids.length; i++) {
            assertEquals(ids[i], values.get(i));
          }
          FixedSizeListVector rows =
              (FixedSizeListVector) ((ListVector) arrow.getVector("pixel_values")).getDataVector();
          UInt1Vector pixels = (UInt1Vector) rows.getDataVector();
          assertEquals(shape[0], rows.getValueCount());
          assertEquals(address, pixels.getDataBuffer().memoryAddress(), "no copy");
          assertEquals(first, pixels.get(0) & 255);
        }
        assertThrows(
            AlreadyClosedException.class, () -> ArrowBatches.toRoot(batch, allocator).close());
      }
    }
  }
}
