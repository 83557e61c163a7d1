package io.stoker.preprocess.shard;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.stoker.format.ArrowFileDecoder;
import io.stoker.format.ArrowFileDecoder.BatchRange;
import io.stoker.format.BlockLayout;
import io.stoker.format.PixelLayout;
import io.stoker.format.ShardColumn;
import io.stoker.format.ShardFormat;
import io.stoker.format.ShardSchema;
import io.stoker.index.BlockEntry;
import io.stoker.index.ShardEntry;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.zip.CRC32C;
import org.apache.arrow.flatbuf.Block;
import org.apache.arrow.flatbuf.Footer;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.RecordBatch;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowFileReader;
import org.apache.arrow.vector.util.ByteArrayReadableSeekableByteChannel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShardWriterTest {
  private static final String DATASET = "dataset-1";
  private static final long[] LABELS = {-100, 7, 8};

  /** A segment of {@code length} tokens, the first not trained. */
  private static void addSegment(BlockBuilder block, String id, int length, int... grids) {
    int patches = 0;
    for (int i = 0; i < grids.length; i += 3) {
      int image = grids[i] * grids[i + 1] * grids[i + 2];
      int at = block.reservePatches(image);
      int bytes = image * block.layout().bytesPerPatch();
      byte[] pixels = new byte[bytes];
      new Random(patches + length).nextBytes(pixels);
      System.arraycopy(pixels, 0, block.pixels(), at, bytes);
      patches += image;
    }
    long[] ids = LongStream.range(0, length).map(i -> 100L * length + i).toArray();
    long[] labels = ids.clone();
    labels[0] = ShardFormat.IGNORED_LABEL;
    long[] positions =
        LongStream.range(0, 3L * length).map(i -> i / length * 10 + i % length).toArray();
    block.addSegment(id, ids, labels, positions, grids);
  }

  private static List<BlockEntry> write(OutputStream out, PixelLayout layout) throws IOException {
    ShardWriter writer = new ShardWriter(out, DATASET, layout);
    BlockBuilder block = new BlockBuilder(layout);
    List<BlockEntry> entries = new ArrayList<>();
    addSegment(block, "first", 3, 1, 2, 2);
    addSegment(block, "zweite ✓", 2);
    block.endPack();
    addSegment(block, "third", 4, 1, 2, 4, 1, 2, 2);
    block.endPack();
    entries.add(writer.writeBlock(block));
    block.reset();
    addSegment(block, "text only", 5);
    block.endPack();
    entries.add(writer.writeBlock(block));
    ShardEntry shard = writer.finish("shards/00/a.arrow");
    assertEquals(2, shard.blocks());
    assertEquals(new BlockStats(3, 4, 14, 10, 16), writer.totals());
    return entries;
  }

  @ParameterizedTest
  @CsvSource({"uint8,single", "uint8,duplicated", "bfloat16,duplicated", "float32,single"})
  void stockReaderSeesTheSameValues(String encoding, String temporal) throws IOException {
    PixelLayout layout = PixelLayout.of(encoding, temporal);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    List<BlockEntry> entries = write(out, layout);
    byte[] file = out.toByteArray();
    try (BufferAllocator allocator = new RootAllocator();
        ArrowFileReader reader =
            new ArrowFileReader(new ByteArrayReadableSeekableByteChannel(file), allocator)) {
      VectorSchemaRoot root = reader.getVectorSchemaRoot();
      assertEquals(
          ShardSchema.of(DATASET, layout).metadata(), root.getSchema().getCustomMetadata());
      for (BlockEntry entry : entries) {
        reader.loadNextBatch();
        assertEquals(entry.packs(), root.getRowCount());
        BlockLayout block = BlockLayout.parse("test", entry.offset(), slice(file, entry), layout);
        for (int pack = 0; pack < entry.packs(); pack++) {
          assertEquals(
              root.getVector("sample_ids").getObject(pack).toString(),
              block.sampleIds(pack).stream()
                  .map(id -> '"' + id + '"')
                  .toList()
                  .toString()
                  .replace(", ", ","));
          assertEquals(
              root.getVector("input_ids").getObject(pack),
              longs(block.data(ShardColumn.INPUT_IDS, pack)));
          assertEquals(
              root.getVector("labels").getObject(pack),
              longs(block.data(ShardColumn.LABELS, pack)));
          assertEquals(
              root.getVector("position_ids").getObject(pack),
              longs(block.data(ShardColumn.POSITION_IDS, pack)));
          assertEquals(
              ((List<?>) root.getVector("pixel_values").getObject(pack)).size(),
              block.patches(pack));
        }
      }
      assertFalse(reader.loadNextBatch());
    }
  }

  @Test
  void positionsOfSegmentsAreInterleavedPerAxis() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    BlockEntry entry = write(out, PixelLayout.UINT8).get(0);
    BlockLayout block =
        BlockLayout.parse("test", 0, slice(out.toByteArray(), entry), PixelLayout.UINT8);
    assertEquals(
        List.of(0L, 1L, 2L, 0L, 1L, 10L, 11L, 12L, 10L, 11L, 20L, 21L, 22L, 20L, 21L),
        longs(block.data(ShardColumn.POSITION_IDS, 0)));
    ByteBuffer boundaries = block.data(ShardColumn.CU_SEQLENS, 0);
    assertEquals(0, boundaries.getInt());
    assertEquals(3, boundaries.getInt());
    assertEquals(5, boundaries.getInt());
    assertEquals(List.of("first", "zweite ✓"), block.sampleIds(0));
    assertEquals(List.of(1L, 2L, 4L, 1L, 2L, 2L), longs(block.data(ShardColumn.IMAGE_GRID_THW, 1)));
  }

  @Test
  void everyBufferIsAligned() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    write(out, PixelLayout.UINT8);
    byte[] file = out.toByteArray();
    ByteBuffer bytes = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
    int footerEnd = file.length - 10;
    int footerStart = footerEnd - bytes.getInt(footerEnd);
    Footer footer =
        Footer.getRootAsFooter(
            bytes.duplicate().order(ByteOrder.LITTLE_ENDIAN).position(footerStart));
    int buffers = 0;
    for (int i = 0; i < footer.recordBatchesLength(); i++) {
      Block block = footer.recordBatches(i);
      assertEquals(0, block.offset() % 64);
      assertEquals(0, block.metaDataLength() % 64);
      assertEquals(0, block.bodyLength() % 64);
      int message = (int) block.offset() + 8;
      RecordBatch batch =
          (RecordBatch)
              Message.getRootAsMessage(
                      bytes.duplicate().order(ByteOrder.LITTLE_ENDIAN).position(message))
                  .header(new RecordBatch());
      for (int j = 0; j < batch.buffersLength(); j++) {
        long start = block.offset() + block.metaDataLength() + batch.buffers(j).offset();
        assertEquals(0, start % 64);
        buffers++;
      }
    }
    assertEquals(2 * 31, buffers);
  }

  @Test
  void entriesDescribeTheFile() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    List<BlockEntry> entries = write(out, PixelLayout.UINT8);
    byte[] file = out.toByteArray();
    List<BatchRange> ranges = ArrowFileDecoder.batches("test", ByteBuffer.wrap(file), file.length);
    assertEquals(
        entries.stream().map(e -> new BatchRange(e.offset(), e.length())).toList(), ranges);
    for (BlockEntry entry : entries) {
      CRC32C crc = new CRC32C();
      crc.update(slice(file, entry));
      assertEquals(entry.crc32c(), crc.getValue());
    }
  }

  @Test
  void sameBlocksGiveTheSameBytes() throws IOException {
    ByteArrayOutputStream first = new ByteArrayOutputStream();
    write(first, PixelLayout.UINT8);
    ByteArrayOutputStream second = new ByteArrayOutputStream();
    write(second, PixelLayout.UINT8);
    assertArrayEquals(first.toByteArray(), second.toByteArray());
    CRC32C crc = new CRC32C();
    crc.update(first.toByteArray());
    // Changes only when the format does, and then its version must.
    assertEquals("b00f19ce 18746", Long.toHexString(crc.getValue()) + " " + first.size());
  }

  @Test
  void rollbackDropsTheImagesOfOneSegment() throws IOException {
    BlockBuilder block = new BlockBuilder(PixelLayout.UINT8);
    block.reservePatches(4);
    Arrays.fill(block.pixels(), (byte) 9);
    block.rollback();
    addSegment(block, "a", 3, 1, 2, 2);
    block.reservePatches(8);
    block.endPack();
    assertEquals(new BlockStats(1, 1, 3, 2, 4), block.stats());
    block.reset();
    assertEquals(BlockStats.NONE, block.stats());
  }

  @Test
  void brokenInvariantsAreRefused() {
    BlockBuilder block = new BlockBuilder(PixelLayout.UINT8);
    long[] ids = {1, 2, 3};
    long[] positions = new long[9];
    assertRefused("labels and ids differ in length", block, ids, new long[] {1}, positions);
    assertRefused("positions are not 3 per id", block, ids, LABELS, new long[8]);
    assertRefused("no supervised token", block, ids, new long[] {-100, -100, -100}, positions);
    assertRefused("no tokens", block, new long[0], LABELS, positions);
    assertRefused(
        "grids have 4 patches, but 0 were reserved", block, ids, LABELS, positions, 1, 2, 2);
    assertThrows(IllegalStateException.class, block::endPack);
    assertThrows(IllegalStateException.class, block::buffers);
    assertThrows(
        IllegalArgumentException.class,
        () -> block.addSegment("\ud800", ids, LABELS, positions, new int[0]));
    assertEquals(BlockStats.NONE, block.stats());
  }

  private static void assertRefused(
      String problem,
      BlockBuilder block,
      long[] ids,
      long[] labels,
      long[] positions,
      int... grids) {
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class,
            () -> block.addSegment("s", ids, labels, positions, grids));
    assertEquals("sample s: " + problem, e.getMessage());
  }

  @Test
  void entriesCrossTasks() throws Exception {
    for (Object value :
        List.of(
            new BlockEntry(64, 128, 1, 1, 2, 0, 5),
            new ShardEntry("shards/a.arrow", 1000, 3, 1),
            new BlockStats(1, 2, 3, 4, 5))) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
        out.writeObject(value);
      }
      try (ObjectInputStream in =
          new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
        assertEquals(value, in.readObject());
      }
    }
  }

  private static ByteBuffer slice(byte[] file, BlockEntry entry) {
    return ByteBuffer.wrap(file, (int) entry.offset(), (int) entry.length()).slice();
  }

  private static List<Long> longs(ByteBuffer data) {
    List<Long> list = new ArrayList<>();
    while (data.hasRemaining()) {
      list.add(data.getLong());
    }
    return list;
  }
}
