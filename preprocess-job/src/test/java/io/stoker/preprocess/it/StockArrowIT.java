package io.stoker.preprocess.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.stoker.index.ShardEntry;
import io.stoker.plan.PlanSettings;
import io.stoker.plan.RankSpec;
import io.stoker.reader.Batch;
import io.stoker.reader.RankReader;
import io.stoker.reader.ReaderOptions;
import io.stoker.reader.Tensor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.ipc.ArrowFileReader;
import org.apache.arrow.vector.util.ByteArrayReadableSeekableByteChannel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A dataset as Arrow's own reader and a checksum routine see it, not ours. */
@ExtendWith(Lab.Resolver.class)
class StockArrowIT {
  private final DatasetFiles files;

  StockArrowIT(Lab lab) {
    this.files = lab.reference();
  }

  private interface BatchCheck {
    void accept(VectorSchemaRoot root);
  }

  private static void readAll(byte[] file, BatchCheck check) throws IOException {
    try (BufferAllocator allocator = new RootAllocator();
        ArrowFileReader reader =
            new ArrowFileReader(new ByteArrayReadableSeekableByteChannel(file), allocator)) {
      while (reader.loadNextBatch()) {
        check.accept(reader.getVectorSchemaRoot());
      }
    }
  }

  @Test
  void schemaIsTheFormats() throws IOException {
    List<String> expected =
        List.of(
            "sample_ids: List<item: Utf8 not null> not null",
            "cu_seqlens: List<item: Int(32, true) not null> not null",
            "input_ids: List<item: Int(64, true) not null> not null",
            "labels: List<item: Int(64, true) not null> not null",
            "position_ids: List<item: Int(64, true) not null> not null",
            "pixel_values: List<item: FixedSizeList(768)<item: Int(8, false) not null> not null> not null",
            "image_grid_thw: List<item: FixedSizeList(3)<item: Int(64, true) not null> not null> not null");
    for (String shard : files.shardNames()) {
      readAll(
          files.bytes(shard),
          root -> {
            assertEquals(
                expected, root.getSchema().getFields().stream().map(Object::toString).toList());
            Map<String, String> metadata = root.getSchema().getCustomMetadata();
            assertEquals(files.dataset().datasetId(), metadata.get("stoker.dataset-id"));
            assertEquals("stoker-shard", metadata.get("stoker.format"));
            assertEquals("1", metadata.get("stoker.format-version"));
          });
    }
  }

  @Test
  void valuesAreThoseOfOurReader() throws IOException {
    Map<List<String>, Map<String, String>> stock = new HashMap<>();
    for (String shard : files.shardNames()) {
      readAll(files.bytes(shard), root -> hashRows(root, stock));
    }
    assertTrue(files.shardNames().size() > 2);
    assertEquals(files.dataset().counts().packs(), stock.size());
    assertEquals(ours(), stock);
  }

  private static void hashRows(
      VectorSchemaRoot root, Map<List<String>, Map<String, String>> hashes) {
    for (int row = 0; row < root.getRowCount(); row++) {
      List<String> ids = new ArrayList<>();
      ((List<?>) root.getVector("sample_ids").getObject(row)).forEach(id -> ids.add(id + ""));
      Map<String, String> columns = new TreeMap<>();
      for (FieldVector vector : root.getFieldVectors()) {
        if (!vector.getName().equals("sample_ids")) {
          columns.put(vector.getName(), Sha256.hex(bytes((ListVector) vector, row)));
        }
      }
      hashes.put(ids, columns);
    }
  }

  private static byte[] bytes(ListVector list, int row) {
    FieldVector values = list.getDataVector();
    int width = 1;
    if (values instanceof FixedSizeListVector rows) {
      width = rows.getListSize();
      values = rows.getDataVector();
    }
    width *= ((org.apache.arrow.vector.BaseFixedWidthVector) values).getTypeWidth();
    int from = list.getElementStartIndex(row);
    byte[] bytes = new byte[(list.getElementEndIndex(row) - from) * width];
    values.getDataBuffer().getBytes((long) from * width, bytes);
    return bytes;
  }

  private Map<List<String>, Map<String, String>> ours() throws IOException {
    Map<List<String>, Map<String, String>> hashes = new HashMap<>();
    ReaderOptions options = ReaderOptions.of(new PlanSettings(0, 1, 1));
    try (RankReader reader = RankReader.open(files.root(), new RankSpec(0, 1), options)) {
      while (reader.hasNext()) {
        try (Batch batch = reader.next()) {
          Map<String, String> columns = new TreeMap<>();
          for (Tensor tensor : batch.pack(0).tensors()) {
            columns.put(tensor.name(), Sha256.hex(tensor.data()));
          }
          hashes.put(batch.sampleIds(), columns);
        }
      }
    }
    return hashes;
  }

  private record TableRow(
      int shard,
      long offset,
      long length,
      int packs,
      int samples,
      long tokens,
      long patches,
      long crc32c) {}

  private List<TableRow> table() throws IOException {
    List<TableRow> rows = new ArrayList<>();
    readAll(
        files.blockTable(),
        root -> {
          for (int row = 0; row < root.getRowCount(); row++) {
            rows.add(
                new TableRow(
                    intAt(root, "shard", row),
                    longAt(root, "offset", row),
                    longAt(root, "length", row),
                    intAt(root, "packs", row),
                    intAt(root, "samples", row),
                    longAt(root, "tokens", row),
                    longAt(root, "patches", row),
                    longAt(root, "crc32c", row)));
          }
        });
    return rows;
  }

  private static int intAt(VectorSchemaRoot root, String column, int row) {
    return ((IntVector) root.getVector(column)).get(row);
  }

  private static long longAt(VectorSchemaRoot root, String column, int row) {
    return ((BigIntVector) root.getVector(column)).get(row);
  }

  @Test
  void everyBufferIsAlignedAndTheTableNamesEveryBatch() throws IOException {
    List<TableRow> table = table();
    assertEquals(1, ArrowFrames.assertAligned(files.blockTable()).size());
    for (int i = 0; i < files.dataset().shards().size(); i++) {
      int shard = i;
      ShardEntry entry = files.dataset().shards().get(i);
      assertEquals(
          table.stream()
              .filter(row -> row.shard() == shard)
              .map(row -> new ArrowFrames.Batch(row.offset(), row.length()))
              .toList(),
          ArrowFrames.assertAligned(files.bytes(entry.name())));
    }
    assertEquals(files.dataset().blocks(), table.size());
  }

  @Test
  void checksumsAreRight() throws IOException {
    for (TableRow row : table()) {
      byte[] shard = files.bytes(files.shardNames().get(row.shard()));
      assertEquals(
          row.crc32c(), crc32c(ByteBuffer.wrap(shard, (int) row.offset(), (int) row.length())));
    }
    for (ShardEntry entry : files.dataset().shards()) {
      byte[] shard = files.bytes(entry.name());
      assertEquals(entry.bytes(), shard.length);
      assertEquals(entry.crc32c(), crc32c(ByteBuffer.wrap(shard)));
    }
    assertEquals(
        files.dataset().blockTable().crc32c(), crc32c(ByteBuffer.wrap(files.blockTable())));
  }

  private static long crc32c(ByteBuffer bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    return crc.getValue();
  }

  @Test
  void rowsOfTheTableCountWhatTheBatchesHold() throws IOException {
    List<List<Long>> found = new ArrayList<>();
    for (String shard : files.shardNames()) {
      readAll(
          files.bytes(shard),
          root ->
              found.add(
                  List.of(
                      (long) root.getRowCount(),
                      elements(root, "sample_ids"),
                      elements(root, "input_ids"),
                      elements(root, "pixel_values"))));
    }
    assertEquals(
        table().stream()
            .map(
                row ->
                    List.of((long) row.packs(), (long) row.samples(), row.tokens(), row.patches()))
            .toList(),
        found);
  }

  private static long elements(VectorSchemaRoot root, String column) {
    ListVector list = (ListVector) root.getVector(column);
    return list.getElementEndIndex(root.getRowCount() - 1);
  }
}
