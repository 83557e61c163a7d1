package io.stoker.format;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.stoker.fixture.TestDataset;
import io.stoker.format.ArrowFileDecoder.BatchRange;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BlockLayoutTest {
  private static final long SEED = 20260101;
  private static final int EDITS = 50_000;

  private final byte[] shard;
  private final byte[] block;

  BlockLayoutTest(@TempDir Path root) throws IOException {
    TestDataset.write(root, "d", PixelLayout.UINT8, new int[] {5, 3});
    shard = Files.readAllBytes(root.resolve("shards/00/test.arrow"));
    BatchRange range = ArrowFileDecoder.batches("s", ByteBuffer.wrap(shard), shard.length).get(0);
    block = new byte[(int) range.length()];
    System.arraycopy(shard, (int) range.offset(), block, 0, block.length);
  }

  private static BlockLayout parse(byte[] bytes) throws ShardFormatException {
    return BlockLayout.parse("s", 64, ByteBuffer.wrap(bytes), PixelLayout.UINT8);
  }

  @Test
  void readsEveryColumn() throws IOException {
    BlockLayout layout = parse(block);
    assertEquals(5, layout.packs());
    assertEquals(7, layout.samples());
    assertEquals(16, layout.patches());
    for (int pack = 0; pack < 5; pack++) {
      long[] ids = TestDataset.inputIds(pack);
      assertEquals(TestDataset.sampleIds(pack), layout.sampleIds(pack));
      assertArrayEquals(ids, longs(layout.data(ShardColumn.INPUT_IDS, pack)));
      assertArrayEquals(ids, longs(layout.data(ShardColumn.LABELS, pack)));
      assertEquals(3 * ids.length, longs(layout.data(ShardColumn.POSITION_IDS, pack)).length);
      ByteBuffer pixels = layout.data(ShardColumn.PIXEL_VALUES, pack);
      assertEquals(pack % 3 * 4 * 768, pixels.remaining());
      assertTrue(pixels.isReadOnly());
      assertEquals(ByteOrder.LITTLE_ENDIAN, pixels.order());
      assertEquals(pack % 3 * 3, longs(layout.data(ShardColumn.IMAGE_GRID_THW, pack)).length);
    }
    assertThrows(IndexOutOfBoundsException.class, () -> layout.data(ShardColumn.LABELS, 5));
    assertThrows(IndexOutOfBoundsException.class, () -> layout.tokens(-1));
  }

  /** Every edit ends in a typed error or in a block whose accessors all work. */
  @Test
  void editsGiveTypedErrorsOnly() throws IOException {
    Random random = new Random(SEED);
    int refused = 0;
    for (int i = 0; i < EDITS; i++) {
      byte[] edited = block.clone();
      // Most of a block is pixels, where an edit proves nothing: stay in front of them.
      int edits = 1 + random.nextInt(3);
      for (int edit = 0; edit < edits; edit++) {
        edit(random, edited, random.nextInt(4) == 0 ? edited.length : 1600);
      }
      try {
        touch(parse(edited));
      } catch (ShardFormatException e) {
        assertEquals(ShardFormatException.Kind.CORRUPT, e.kind());
        assertTrue(String.valueOf(e.getMessage()).startsWith("s, block at 64: "), e.getMessage());
        refused++;
      }
    }
    assertTrue(refused > EDITS / 4, "only " + refused + " refused");
  }

  @Test
  void editsOfTheFrameGiveTypedErrorsOnly() throws IOException {
    Random random = new Random(SEED);
    for (int i = 0; i < EDITS; i++) {
      byte[] edited = shard.clone();
      int start = random.nextBoolean() ? 0 : edited.length - 2000;
      for (int edit = 0; edit < 2; edit++) {
        int at = start + random.nextInt(2000);
        edited[at] = (byte) random.nextInt();
      }
      try {
        for (BatchRange range :
            ArrowFileDecoder.batches("s", ByteBuffer.wrap(edited), edited.length)) {
          assertTrue(range.offset() >= 0 && range.offset() + range.length() <= edited.length);
        }
        ArrowFileDecoder.schema("s", ByteBuffer.wrap(edited))
            .checkIs("s", ShardSchema.of("d", PixelLayout.UINT8));
      } catch (ShardFormatException e) {
        assertTrue(String.valueOf(e.getMessage()).startsWith("s: "), e.getMessage());
      }
    }
  }

  private static void edit(Random random, byte[] bytes, int limit) {
    int at = random.nextInt(limit);
    int word = at & ~7;
    ByteBuffer view = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    switch (random.nextInt(6)) {
      case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
      case 1 -> bytes[at] = (byte) random.nextInt();
      case 2 -> view.putInt(word, random.nextInt());
      case 3 -> view.putInt(word, -1);
      case 4 -> view.putLong(word, Long.MAX_VALUE - random.nextInt(64));
      default -> view.putInt(word, Integer.MAX_VALUE - random.nextInt(64));
    }
  }

  private static void touch(BlockLayout layout) {
    long bytes = 0;
    for (int pack = 0; pack < layout.packs(); pack++) {
      for (ShardColumn column : ShardColumn.values()) {
        if (column == ShardColumn.SAMPLE_IDS) {
          bytes += layout.sampleIds(pack).size();
        } else {
          bytes += layout.data(column, pack).remaining();
        }
      }
    }
    assertTrue(bytes > 0);
  }

  @Test
  void everyTruncationIsRefused() {
    for (int length = 0; length < block.length; length += 1 + length / 50) {
      byte[] cut = Arrays.copyOf(block, length);
      assertThrows(ShardFormatException.class, () -> parse(cut), "cut to " + length);
    }
  }

  /** One broken rule each, and the whole message. */
  @Test
  void brokenRulesAreNamed() throws IOException {
    List<String> messages = new ArrayList<>();
    messages.add(messageOf(0, new byte[] {0, 0, 0, 0}));
    messages.add(messageOf(4, new byte[] {1, 0, 0, 0}));
    messages.add(message(ShardColumn.CU_SEQLENS, 1, 4, new byte[] {0, 0, 0, 0}));
    messages.add(message(ShardColumn.CU_SEQLENS, 1, 0, new byte[] {1, 0, 0, 0}));
    messages.add(message(ShardColumn.CU_SEQLENS, 0, 4, new byte[] {9, 0, 0, 0}));
    messages.add(message(ShardColumn.IMAGE_GRID_THW, 1, 8, new byte[] {1, 0, 0, 0}));
    messages.add(
        message(ShardColumn.IMAGE_GRID_THW, 1, 8, new byte[] {-1, -1, -1, -1, -1, -1, -1, 127}));
    assertEquals(
        List.of(
            "s, block at 64: continuation marker: expected ffffffff, found 0",
            "s, block at 64: end of metadata: expected a multiple of 64 in [64, "
                + block.length
                + "], found 9",
            "s, block at 64: pack 1, cu_seqlens[1]: expected more than 0, found 0",
            "s, block at 64: pack 1, cu_seqlens[0]: expected 0, found 1",
            "s, block at 64: pack 0, last cu_seqlens: expected 2, found 9",
            "s, block at 64: pack 1, patches: expected 2, found 4",
            "s, block at 64: pack 1, grid 0: expected at most 4 patches, found"
                + " 1x9223372036854775807x2"),
        messages);
  }

  private String message(ShardColumn column, int pack, int at, byte[] replacement)
      throws IOException {
    return messageOf(positionOf(column, pack) + at, replacement);
  }

  /** Finds where the values of a column are by flipping bytes until they change. */
  private int positionOf(ShardColumn column, int pack) throws IOException {
    byte[] zero = block.clone();
    ByteBuffer original = parse(block).data(column, pack);
    ByteBuffer live =
        BlockLayout.parse("s", 64, ByteBuffer.wrap(zero), PixelLayout.UINT8).data(column, pack);
    for (int i = 0; i < zero.length; i++) {
      zero[i] ^= 1;
      boolean changed = live.get(0) != original.get(0);
      zero[i] ^= 1;
      if (changed) {
        return i;
      }
    }
    throw new AssertionError("not found");
  }

  private String messageOf(int at, byte[] replacement) {
    byte[] edited = block.clone();
    System.arraycopy(replacement, 0, edited, at, replacement.length);
    return String.valueOf(
        assertThrows(ShardFormatException.class, () -> parse(edited)).getMessage());
  }

  private static long[] longs(ByteBuffer data) {
    long[] values = new long[data.remaining() / Long.BYTES];
    data.asLongBuffer().get(values);
    return values;
  }
}
