package io.stoker.reader;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.stoker.fixture.TestDataset;
import io.stoker.format.PixelLayout;
import io.stoker.format.ShardFormatException;
import io.stoker.index.Dataset;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DatasetVerifierTest {
  private final Path root;

  DatasetVerifierTest(@TempDir Path root) {
    this.root = root;
  }

  @Test
  void soundDatasetPasses() throws IOException {
    Dataset dataset =
        TestDataset.write(
            root, "d", PixelLayout.of("float32", "duplicated"), new int[] {2, 1}, new int[] {4});
    assertEquals(dataset, DatasetVerifier.verify(root));
  }

  @ParameterizedTest
  @ValueSource(strings = {"blocks.arrow", "shards/00/test.arrow", "shards/01/test.arrow"})
  void everyFlippedBitIsFound(String name) throws IOException {
    TestDataset.write(root, "d", PixelLayout.UINT8, new int[] {1, 1}, new int[] {2});
    Path file = root.resolve(name);
    byte[] bytes = Files.readAllBytes(file);
    for (int at = 0; at < bytes.length; at += 13) {
      byte[] edited = bytes.clone();
      edited[at] ^= (byte) (1 << (at % 8));
      Files.delete(file);
      Files.write(file, edited);
      assertThrows(
          ShardFormatException.class, () -> DatasetVerifier.verify(root), name + " byte " + at);
    }
  }

  @Test
  void swappedShardsAreFound() throws IOException {
    TestDataset.write(root, "d", PixelLayout.UINT8, new int[] {1}, new int[] {1});
    Path first = root.resolve("shards/00/test.arrow");
    Path second = root.resolve("shards/01/test.arrow");
    byte[] bytes = Files.readAllBytes(first);
    Files.write(first, Files.readAllBytes(second));
    Files.write(second, bytes);
    assertThrows(ShardFormatException.class, () -> DatasetVerifier.verify(root));
  }

  @Test
  void samplesWithoutLabelsAreFound() throws IOException {
    TestDataset.writeUntrained(root, "d", 4, pack -> pack == 3);
    ShardFormatException e =
        assertThrows(ShardFormatException.class, () -> DatasetVerifier.verify(root));
    assertEquals(
        "shards/00/test.arrow, block at 1216: pack 3, sample 0, supervised tokens:"
            + " expected at least"
            + " 1, found 0",
        e.getMessage());
  }

  @Test
  void supervisedTokensAreCounted() throws IOException {
    TestDataset.write(root, "d", PixelLayout.UINT8, new int[] {2});
    Path json = root.resolve("dataset.json");
    String text = Files.readString(json);
    Files.writeString(
        json, text.replaceAll("\"supervised-tokens\" : \\d+", "\"supervised-tokens\" : 7"));
    ShardFormatException e =
        assertThrows(ShardFormatException.class, () -> DatasetVerifier.verify(root));
    assertEquals("dataset.json: supervised tokens: expected 7, found 8", e.getMessage());
  }
}
