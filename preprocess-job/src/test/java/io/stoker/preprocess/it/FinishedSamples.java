package io.stoker.preprocess.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.stoker.plan.PlanSettings;
import io.stoker.plan.RankSpec;
import io.stoker.reader.Batch;
import io.stoker.reader.RankReader;
import io.stoker.reader.ReaderOptions;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Reads a dataset as a trainer does, with the reader, and cuts its packs into samples. */
final class FinishedSamples {
  private static final long IMAGE_PAD = 151655;
  private static final int PATCHES_PER_TOKEN = 4;

  private FinishedSamples() {}

  /**
   * One epoch of a dataset whose packs the ranks divide without rest.
   *
   * @param store options of the reader's store
   * @return samples by id
   */
  static SortedMap<String, FinishedSample> read(
      URI dataset, int worldSize, Map<String, String> store) throws IOException {
    ReaderOptions options = ReaderOptions.of(new PlanSettings(1, worldSize, 1)).withStore(store);
    SortedMap<String, FinishedSample> samples = new TreeMap<>();
    for (int rank = 0; rank < worldSize; rank++) {
      try (RankReader reader = RankReader.open(dataset, new RankSpec(rank, worldSize), options)) {
        assertEquals(0, reader.dataset().counts().packs() % worldSize, "packs left over");
        while (reader.hasNext()) {
          try (Batch batch = reader.next()) {
            cut(batch, samples);
          }
        }
      }
    }
    return samples;
  }

  static SortedMap<String, FinishedSample> read(DatasetFiles files) throws IOException {
    return read(files.root().toUri(), 1, Map.of());
  }

  private static void cut(Batch batch, SortedMap<String, FinishedSample> samples) {
    List<String> ids = batch.sampleIds();
    ByteBuffer boundaries = batch.tensor("cu_seqlens").data();
    ByteBuffer inputIds = batch.tensor("input_ids").data();
    ByteBuffer labels = batch.tensor("labels").data();
    ByteBuffer positions = batch.tensor("position_ids").data();
    ByteBuffer grids = batch.tensor("image_grid_thw").data();
    ByteBuffer pixels = batch.tensor("pixel_values").data();
    long[] shape = batch.tensor("pixel_values").shape();
    int bytesPerPatch = (int) shape[1] * batch.tensor("pixel_values").type().bytes();
    assertEquals(0, boundaries.getInt());
    int tokens = inputIds.remaining() / Long.BYTES;
    int start = 0;
    for (String id : ids) {
      int length = boundaries.getInt() - start;
      byte[] own = slice(inputIds, start, length);
      List<List<Long>> ownGrids = grids(grids, imageTokens(own));
      byte[] ownPixels = new byte[Math.toIntExact(patches(ownGrids) * bytesPerPatch)];
      pixels.get(ownPixels);
      byte[] ownPositions = new byte[3 * length * Long.BYTES];
      for (int axis = 0; axis < 3; axis++) {
        byte[] row = slice(positions, axis * tokens + start, length);
        System.arraycopy(row, 0, ownPositions, axis * row.length, row.length);
      }
      assertNull(
          samples.put(
              id,
              new FinishedSample(
                  own, slice(labels, start, length), ownPositions, ownGrids, ownPixels)),
          id);
      start += length;
    }
    assertEquals(tokens, start);
    assertFalse(boundaries.hasRemaining() || grids.hasRemaining() || pixels.hasRemaining());
  }

  private static byte[] slice(ByteBuffer longs, int from, int count) {
    byte[] bytes = new byte[count * Long.BYTES];
    longs.get(from * Long.BYTES, bytes);
    return bytes;
  }

  private static long imageTokens(byte[] inputIds) {
    ByteBuffer ids = ByteBuffer.wrap(inputIds).order(ByteOrder.LITTLE_ENDIAN);
    long count = 0;
    while (ids.hasRemaining()) {
      if (ids.getLong() == IMAGE_PAD) {
        count++;
      }
    }
    return count;
  }

  /** Takes as many images as account for a segment's placeholders. */
  private static List<List<Long>> grids(ByteBuffer grids, long imageTokens) {
    List<List<Long>> taken = new ArrayList<>();
    while (patches(taken) < imageTokens * PATCHES_PER_TOKEN) {
      taken.add(List.of(grids.getLong(), grids.getLong(), grids.getLong()));
    }
    assertEquals(imageTokens * PATCHES_PER_TOKEN, patches(taken));
    return taken;
  }

  private static long patches(List<List<Long>> grids) {
    return grids.stream().mapToLong(grid -> grid.get(0) * grid.get(1) * grid.get(2)).sum();
  }
}
