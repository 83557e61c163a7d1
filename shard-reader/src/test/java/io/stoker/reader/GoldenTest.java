package io.stoker.reader;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.stoker.fixture.Goldens;
import io.stoker.fixture.TestDataset;
import io.stoker.format.PixelLayout;
import io.stoker.format.ShardFormat;
import io.stoker.index.DatasetParser;
import io.stoker.plan.PlanSettings;
import io.stoker.plan.RankSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * One dataset per format version, as it was written when the version was current. To write that of
 * the current one, and all other goldens: {@code mvn -pl shard-reader test -Dtest="*GoldenTest"
 * -Dstoker.golden=write}.
 */
class GoldenTest {
  @BeforeAll
  static void writeGolden() throws IOException {
    if (Goldens.writing()) {
      write(golden(ShardFormat.CURRENT_VERSION));
    }
  }

  private static void write(Path root) throws IOException {
    Files.createDirectories(root);
    TestDataset.write(root, "golden", PixelLayout.UINT8, new int[] {2}, new int[] {1});
  }

  private static Path golden(int version) {
    return Goldens.ROOT.resolve("v" + version);
  }

  @Test
  void everyVersionIsRead() throws IOException {
    for (int version = ShardFormat.MIN_VERSION; version <= ShardFormat.CURRENT_VERSION; version++) {
      Path root = golden(version);
      assertTrue(Files.exists(root.resolve(ShardFormat.DATASET_FILE)), "no golden dataset " + root);
      ReaderOptions options = ReaderOptions.of(new PlanSettings(0, 1, 1));
      try (RankReader reader = RankReader.open(root, new RankSpec(0, 1), options)) {
        assertEquals(version, reader.dataset().formatVersion());
        assertEquals(TestDataset.valueTable(), reader.dataset().valueTable());
        while (reader.hasNext()) {
          Batch batch = reader.next();
          int pack = Integer.parseInt(batch.sampleIds().get(0).substring(1));
          assertEquals(TestDataset.sampleIds(pack), batch.sampleIds());
          long[] labels = new long[TestDataset.inputIds(pack).length];
          batch.tensor("labels").data().asLongBuffer().get(labels);
          assertArrayEquals(TestDataset.inputIds(pack), labels);
        }
        assertEquals(3, reader.stats().batches());
      }
    }
  }

  @Test
  void currentVersionIsWrittenToTheByte(@TempDir Path root) throws IOException {
    write(root);
    Goldens.assertSame(golden(ShardFormat.CURRENT_VERSION), root);
    byte[] json = Files.readAllBytes(root.resolve(ShardFormat.DATASET_FILE));
    assertArrayEquals(
        json, DatasetParser.toJson(DatasetParser.fromJson(ShardFormat.DATASET_FILE, json)));
  }
}
