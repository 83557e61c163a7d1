package io.stoker.preprocess.shard;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.stoker.format.PixelLayout;
import io.stoker.index.BlockEntry;
import io.stoker.index.BlockTableFile;
import io.stoker.index.BlockTableWriter;
import io.stoker.index.Dataset;
import io.stoker.index.DatasetCounts;
import io.stoker.index.DatasetParser;
import io.stoker.index.ShardEntry;
import io.stoker.index.ValueTable;
import io.stoker.plan.PlanSettings;
import io.stoker.plan.RankSpec;
import io.stoker.reader.Batch;
import io.stoker.reader.DatasetVerifier;
import io.stoker.reader.RankReader;
import io.stoker.reader.ReaderOptions;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What this package writes is what a rank reads. */
class ShardToReaderTest {
  @Test
  void ranksReadWhatWasWritten(@TempDir Path root) throws IOException {
    String name = "shards/3f/a.arrow";
    Files.createDirectories(root.resolve("shards/3f"));
    BlockTableWriter table = new BlockTableWriter("d");
    BlockStats totals;
    ShardEntry shard;
    try (OutputStream out = Files.newOutputStream(root.resolve(name))) {
      ShardWriter writer = new ShardWriter(out, "d", PixelLayout.UINT8);
      BlockBuilder block = new BlockBuilder(PixelLayout.UINT8);
      for (int i = 0; i < 3; i++) {
        block.reset();
        int at = block.reservePatches(4);
        Arrays.fill(block.pixels(), at, at + 4 * 768, (byte) i);
        long[] ids = {i, 100 + i};
        block.addSegment(
            "m.jsonl:" + i, ids, ids, new long[] {0, 1, 0, 1, 0, 1}, new int[] {1, 2, 2});
        block.endPack();
        BlockEntry entry = writer.writeBlock(block);
        table.add(0, entry);
      }
      shard = writer.finish(name);
      totals = writer.totals();
    }
    BlockTableFile tableEntry;
    try (OutputStream out = Files.newOutputStream(root.resolve("blocks.arrow"))) {
      tableEntry = table.writeTo(out, "blocks.arrow");
    }
    Dataset dataset =
        Dataset.of(
            "d",
            "test",
            DatasetCounts.of(
                totals.samples(),
                totals.packs(),
                totals.tokens(),
                totals.supervisedTokens(),
                totals.patches(),
                Map.of()),
            PixelLayout.UINT8,
            ValueTable.of(new float[3][256]),
            Map.of(),
            Map.of(),
            tableEntry,
            List.of(shard));
    Files.write(root.resolve("dataset.json"), DatasetParser.toJson(dataset));

    assertEquals(dataset, DatasetVerifier.verify(root));
    ReaderOptions options = ReaderOptions.of(new PlanSettings(1, 1, 1));
    try (RankReader reader = RankReader.open(root, new RankSpec(0, 1), options)) {
      while (reader.hasNext()) {
        try (Batch batch = reader.next()) {
          ByteBuffer ids = batch.tensor("input_ids").data();
          int sample = (int) ids.getLong();
          assertEquals(List.of("m.jsonl:" + sample), batch.sampleIds());
          assertArrayEquals(new long[] {4, 768}, batch.tensor("pixel_values").shape());
          assertEquals(sample, batch.tensor("pixel_values").data().get(3071));
        }
      }
      assertEquals(3, reader.stats().batches());
    }
  }
}
