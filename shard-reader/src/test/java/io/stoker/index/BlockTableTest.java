package io.stoker.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.stoker.fixture.TestDataset;
import io.stoker.format.PixelLayout;
import io.stoker.format.ShardFormatException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BlockTableTest {
  private final Path root;
  private final Dataset dataset;
  private final byte[] file;

  BlockTableTest(@TempDir Path root) throws IOException {
    this.root = root;
    dataset =
        TestDataset.write(
            root, "d", PixelLayout.UINT8, new int[] {2, 3}, new int[] {1}, new int[] {4});
    file = Files.readAllBytes(root.resolve("blocks.arrow"));
  }

  @Test
  void givesEveryRow() throws IOException {
    BlockTable table = BlockTable.open(dataset, ByteBuffer.wrap(file));
    table.verify();
    assertEquals(4, table.blocks());
    assertEquals(2, table.shard(3));
    assertEquals(3, table.packs(1));
    byte[] shard = Files.readAllBytes(root.resolve(dataset.shards().get(0).name()));
    BlockEntry entry = table.entry(1);
    CRC32C crc = new CRC32C();
    crc.update(shard, (int) entry.offset(), (int) entry.length());
    assertEquals(entry.crc32c(), crc.getValue());
    assertEquals(3, entry.packs());
    assertThrows(IndexOutOfBoundsException.class, () -> table.entry(4));
  }

  @Test
  void everyFlippedBitIsFound() {
    for (int at = 0; at < file.length; at++) {
      byte[] edited = file.clone();
      edited[at] ^= 4;
      assertThrows(
          ShardFormatException.class,
          () -> BlockTable.open(dataset, ByteBuffer.wrap(edited)).verify(),
          "byte " + at);
    }
  }

  @Test
  void everyTruncationIsFound() {
    for (int cut = 1; cut <= 100; cut++) {
      ByteBuffer shorter = ByteBuffer.wrap(file, 0, file.length - cut);
      ShardFormatException e =
          assertThrows(ShardFormatException.class, () -> BlockTable.open(dataset, shorter));
      assertEquals(
          "blocks.arrow: length: expected " + file.length + ", found " + (file.length - cut),
          e.getMessage());
    }
  }

  /** Rows that pass no checksum, as in a table too large to be verified at open. */
  @Test
  void editedRowsGiveTypedErrorsOnly() throws IOException {
    Random random = new Random(3);
    int refused = 0;
    for (int i = 0; i < 20_000; i++) {
      ByteBuffer edited = ByteBuffer.wrap(file.clone()).order(ByteOrder.LITTLE_ENDIAN);
      edited.putInt(random.nextInt(file.length - 3), random.nextInt(10) - 5);
      try {
        BlockTable table = BlockTable.open(dataset, edited);
        for (int block = 0; block < table.blocks(); block++) {
          table.entry(block);
        }
      } catch (ShardFormatException e) {
        refused++;
      }
    }
    assertTrue(refused > 1000, "only " + refused + " refused");
  }

  @Test
  void tableOfAnotherDatasetIsNamed() throws IOException {
    TestDataset.write(root, "e", PixelLayout.UINT8, new int[] {2, 3}, new int[] {1}, new int[] {4});
    byte[] other = Files.readAllBytes(root.resolve("blocks.arrow"));
    ShardFormatException e =
        assertThrows(
            ShardFormatException.class, () -> BlockTable.open(dataset, ByteBuffer.wrap(other)));
    assertEquals("blocks.arrow: stoker.dataset-id: expected d, found e", e.getMessage());
  }

  @Test
  void countsMustAgree() throws IOException {
    DatasetCounts counts = dataset.counts();
    Dataset wrong =
        Dataset.of(
            "d",
            "test",
            DatasetCounts.of(
                counts.samples(), 11, counts.tokens(), 1, counts.patches(), counts.rejects()),
            dataset.pixels(),
            dataset.valueTable(),
            dataset.fingerprints(),
            dataset.settings(),
            dataset.blockTable(),
            dataset.shards());
    BlockTable table = BlockTable.open(wrong, ByteBuffer.wrap(file));
    ShardFormatException e = assertThrows(ShardFormatException.class, table::verify);
    assertEquals("blocks.arrow: packs: expected 11, found 10", e.getMessage());
  }
}
