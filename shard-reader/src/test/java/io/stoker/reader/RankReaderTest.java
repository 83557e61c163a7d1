package io.stoker.reader;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.stoker.fixture.TestDataset;
import io.stoker.format.ElementType;
import io.stoker.format.PixelLayout;
import io.stoker.format.ShardFormatException;
import io.stoker.plan.Cursor;
import io.stoker.plan.PlanSettings;
import io.stoker.plan.RankSpec;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RankReaderTest {
  private static final PlanSettings PLAN = new PlanSettings(3, 4, 1);
  private static final String SHARD = "shards/00/test.arrow";

  private final Path root;

  RankReaderTest(@TempDir Path root) throws IOException {
    this.root = root;
    TestDataset.write(
        root, "d", PixelLayout.UINT8, new int[] {3, 2, 4}, new int[] {1, 5}, new int[] {2});
  }

  private RankReader open(int rank, int worldSize, ReaderOptions options) throws IOException {
    return RankReader.open(root, new RankSpec(rank, worldSize), options);
  }

  private List<String> samplesOf(int rank, int worldSize, PlanSettings plan) throws IOException {
    List<String> samples = new ArrayList<>();
    try (RankReader reader = open(rank, worldSize, ReaderOptions.of(plan))) {
      while (reader.hasNext()) {
        try (Batch batch = reader.next()) {
          samples.add(batch.epoch() + "/" + batch.step() + "/" + batch.lane() + batch.sampleIds());
        }
      }
    }
    return samples;
  }

  @Test
  void tensorsHaveTheShapesOfTheModel() throws IOException {
    try (RankReader reader = open(0, 1, ReaderOptions.of(PLAN))) {
      assertEquals(4, reader.steps());
      while (reader.hasNext()) {
        try (Batch batch = reader.next()) {
          int pack = Integer.parseInt(batch.sampleIds().get(0).substring(1));
          long length = TestDataset.inputIds(pack).length;
          int images = pack % 3;
          assertEquals(TestDataset.sampleIds(pack), batch.sampleIds());
          assertTensor(batch, "input_ids", ElementType.INT64, 1, length);
          assertTensor(batch, "labels", ElementType.INT64, 1, length);
          assertTensor(batch, "position_ids", ElementType.INT64, 3, 1, length);
          assertTensor(batch, "cu_seqlens", ElementType.INT32, 2 + pack % 2);
          assertTensor(batch, "pixel_values", ElementType.UINT8, images * 4L, 768);
          assertTensor(batch, "image_grid_thw", ElementType.INT64, images, 3);
          long[] ids = new long[(int) length];
          batch.tensor("input_ids").data().asLongBuffer().get(ids);
          assertArrayEquals(TestDataset.inputIds(pack), ids);
          assertEquals(
              batch.bytes(),
              batch.pack(0).tensors().stream().mapToLong(t -> t.data().remaining()).sum());
        }
      }
      assertThrows(NoSuchElementException.class, reader::next);
      assertEquals(16, reader.stats().batches());
    }
  }

  private static void assertTensor(Batch batch, String name, ElementType type, long... shape) {
    Tensor tensor = batch.tensor(name);
    assertEquals(name, tensor.name());
    assertEquals(type, tensor.type());
    assertArrayEquals(shape, tensor.shape());
    long elements = 1;
    for (long extent : shape) {
      elements *= extent;
    }
    assertEquals(elements * type.bytes(), tensor.data().remaining());
    assertTrue(tensor.data().isReadOnly() && tensor.data().isDirect());
  }

  @Test
  void ranksTogetherSeeWhatOneRankSees() throws IOException {
    for (PlanSettings plan : List.of(PLAN, new PlanSettings(9, 8, 2))) {
      List<String> one = samplesOf(0, 1, plan);
      assertEquals(one.size(), new HashSet<>(one).size());
      for (int worldSize : new int[] {2, 4}) {
        List<String> all = new ArrayList<>();
        for (int rank = 0; rank < worldSize; rank++) {
          List<String> own = samplesOf(rank, worldSize, plan);
          assertEquals(one.size() / worldSize, own.size());
          all.addAll(own);
        }
        assertEquals(new HashSet<>(one), new HashSet<>(all));
      }
    }
  }

  @Test
  void resumesAtAnyStepWithAnyWorldSize() throws IOException {
    List<String> undisturbed = new ArrayList<>();
    ReaderOptions options = ReaderOptions.of(PLAN).withEpochs(2).withPrefetchBytes(1);
    try (RankReader reader = open(0, 1, options)) {
      while (reader.hasNext()) {
        undisturbed.addAll(reader.next().sampleIds());
      }
      assertEquals(Cursor.of("d", PLAN, 2, 0), reader.cursor());
    }
    for (int delivered = 0; delivered < 32; delivered++) {
      List<String> samples = new ArrayList<>();
      List<String> incomplete = new ArrayList<>();
      Cursor cursor;
      try (RankReader reader = open(0, 1, options)) {
        for (int i = 0; i < delivered; i++) {
          List<String> ids = reader.next().sampleIds();
          (i < delivered / 4 * 4 ? samples : incomplete).addAll(ids);
        }
        cursor = reader.cursor();
      }
      ReaderOptions rest =
          ReaderOptions.of(PLAN).resumedAt(cursor).withEpochs(2 - (int) cursor.epoch());
      try (RankReader first = open(0, 2, rest);
          RankReader second = open(1, 2, rest)) {
        while (first.hasNext()) {
          samples.addAll(first.next().sampleIds());
          samples.addAll(first.next().sampleIds());
          samples.addAll(second.next().sampleIds());
          samples.addAll(second.next().sampleIds());
        }
        assertFalse(second.hasNext());
      }
      assertEquals(undisturbed, samples, "after " + delivered);
    }
  }

  @Test
  void useAfterCloseIsRefused() throws IOException {
    RankReader reader = open(0, 1, ReaderOptions.of(PLAN));
    Batch batch = reader.next();
    Tensor tensor = batch.tensor("input_ids");
    ByteBuffer view = tensor.data();
    long first = view.getLong(0);
    batch.close();
    batch.close();
    assertClosed(() -> batch.tensor("labels"));
    assertClosed(tensor::data);
    assertClosed(tensor::address);
    assertClosed(batch::sampleIds);
    assertClosed(() -> batch.pack(0).tensor("labels"));
    reader.close();
    reader.close();
    System.gc();
    assertEquals(first, view.getLong(0), "a view outlives its batch and reader");
    AlreadyClosedException e = assertThrows(AlreadyClosedException.class, reader::next);
    assertEquals("the reader is closed", e.getMessage());
  }

  private static void assertClosed(Runnable use) {
    AlreadyClosedException e = assertThrows(AlreadyClosedException.class, use::run);
    assertEquals("the batch of step 0, lane 0 is closed", e.getMessage());
  }

  @Test
  void everyFlippedByteOfAShardIsFound() throws IOException {
    Path file = root.resolve(SHARD);
    byte[] shard = Files.readAllBytes(file);
    int found = 0;
    for (int at = 0; at < shard.length; at += 97) {
      byte[] edited = shard.clone();
      edited[at] ^= 1;
      // Writes another file each time, because a mapping of the old one may still be alive.
      Files.delete(file);
      Files.write(file, edited);
      try {
        samplesOf(0, 1, PLAN);
      } catch (ShardFormatException e) {
        assertTrue(String.valueOf(e.getMessage()).startsWith(SHARD), e.getMessage());
        found++;
      }
    }
    // The bytes outside of blocks, schema and footer, are not read here.
    assertTrue(found > shard.length / 97 * 9 / 10, "found " + found);
  }

  @Test
  void everyTruncationIsFound() throws IOException {
    Path file = root.resolve(SHARD);
    byte[] shard = Files.readAllBytes(file);
    for (int cut = 1; cut <= 100; cut += 3) {
      Files.delete(file);
      Files.write(file, Arrays.copyOf(shard, shard.length - cut));
      ShardFormatException e =
          assertThrows(ShardFormatException.class, () -> samplesOf(0, 1, PLAN));
      assertEquals(
          SHARD + ": length: expected " + shard.length + ", found " + (shard.length - cut),
          e.getMessage());
    }
  }

  @Test
  void shardOfAnotherDatasetIsNamed() throws IOException {
    Path other = Files.createDirectories(root.resolve("other"));
    TestDataset.write(
        other, "e", PixelLayout.UINT8, new int[] {3, 2, 4}, new int[] {1, 5}, new int[] {2});
    Files.delete(root.resolve(SHARD));
    // The names of both datasets are equally long, and so are the shards. The content of one block
    // differs.
    byte[] shard = Files.readAllBytes(other.resolve(SHARD));
    shard[5_000] ^= 1;
    Files.write(root.resolve(SHARD), shard);
    ShardFormatException e = assertThrows(ShardFormatException.class, () -> samplesOf(0, 1, PLAN));
    assertEquals(SHARD + ": stoker.dataset-id: expected d, found e", e.getMessage());
  }

  @Test
  void missingDatasetIsNamed() {
    Path nowhere = root.resolve("nowhere");
    IOException e =
        assertThrows(
            IOException.class,
            () -> RankReader.open(nowhere, new RankSpec(0, 1), ReaderOptions.of(PLAN)));
    assertEquals("no dataset at " + nowhere.toUri() + ": there is no dataset.json", e.getMessage());
    assertThrows(
        IOException.class,
        () ->
            RankReader.open(
                URI.create("hdfs://host/d"), new RankSpec(0, 1), ReaderOptions.of(PLAN)));
  }

  @Test
  void impossiblePlansAreNamed() {
    assertThrows(IllegalArgumentException.class, () -> open(0, 3, ReaderOptions.of(PLAN)).close());
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class,
            () -> open(0, 1, ReaderOptions.of(new PlanSettings(0, 18, 1))).close());
    assertEquals("the dataset has 17 packs, fewer than the global batch of 18", e.getMessage());
    Cursor foreign = Cursor.of("other", PLAN, 0, 1);
    e =
        assertThrows(
            IllegalArgumentException.class,
            () -> open(0, 1, ReaderOptions.of(PLAN).resumedAt(foreign)).close());
    assertEquals("the cursor is of another run: dataset: expected d, found other", e.getMessage());
  }

  @Test
  void statisticsCountWhatWasDelivered() throws IOException {
    try (RankReader reader = open(0, 1, ReaderOptions.of(PLAN))) {
      assertEquals(0, reader.stats().batches());
      long bytes = reader.next().bytes() + reader.next().bytes();
      assertEquals(2, reader.stats().batches());
      assertEquals(bytes, reader.stats().bytes());
      assertTrue(reader.stats().waitNanos() > 0);
      assertTrue(reader.stats().firstNanos() > 0);
      assertTrue(reader.stats().majorFaults() >= -1);
      assertEquals("d", reader.dataset().datasetId());
    }
  }
}
