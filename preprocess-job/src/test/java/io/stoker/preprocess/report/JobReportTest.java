package io.stoker.preprocess.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.stoker.format.PixelLayout;
import io.stoker.index.BlockEntry;
import io.stoker.index.BlockTableFile;
import io.stoker.index.Dataset;
import io.stoker.index.DatasetCounts;
import io.stoker.index.ShardEntry;
import io.stoker.index.ValueTable;
import io.stoker.preprocess.commit.StagedPartition;
import io.stoker.preprocess.measure.Counts;
import io.stoker.preprocess.measure.Stage;
import io.stoker.preprocess.measure.StageTimes;
import io.stoker.preprocess.shard.Attempt;
import io.stoker.preprocess.shard.ShardSettings;
import io.stoker.preprocess.shard.StagedShard;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Reports, records and names. */
class JobReportTest {
  private static final Dataset DATASET =
      Dataset.of(
          "0123456789abcdef",
          "stoker test",
          DatasetCounts.of(5, 2, 6000, 100, 400, Map.of("bad_json", 2L, "image_missing", 1L)),
          PixelLayout.UINT8,
          ValueTable.of(new float[ValueTable.CHANNELS][ValueTable.VALUES]),
          Map.of(),
          Map.of(),
          new BlockTableFile("blocks-job.arrow", 100, 0),
          List.of(
              new ShardEntry("shards/00/a.arrow", 1024, 0, 2),
              new ShardEntry("shards/00/b.arrow", 1024, 0, 1)));

  private static final List<StagedPartition> PARTITIONS =
      List.of(
          new StagedPartition(
              0,
              List.of(),
              "rejects/a.jsonl",
              new Counts(6, 4, 1, 4000, 60, 300, 3 << 20, 5 << 20, Map.of("bad_json", 2L)),
              new StageTimes(Map.of(Stage.DECODE, 2_000_000_000L))),
          new StagedPartition(
              1,
              List.of(),
              "rejects/b.jsonl",
              new Counts(2, 1, 1, 2000, 40, 100, 1 << 20, 1 << 20, Map.of("image_missing", 1L)),
              new StageTimes(Map.of(Stage.TEXT, 1_000_000_000L, Stage.DECODE, 1_000_000_000L))),
          new StagedPartition(2, List.of(), null, Counts.none(), StageTimes.none()));

  private static JobReport report(int packTokens) {
    return report("s3a://b/set", packTokens);
  }

  static JobReport report(String uri, int packTokens) {
    return new JobReport(
        DATASET,
        uri,
        StagedPartition.counts(PARTITIONS),
        StagedPartition.times(PARTITIONS),
        packTokens,
        12.25,
        8.5,
        StagedPartition.rejects(PARTITIONS));
  }

  @Test
  void theReportSumsUpThePartitions() {
    JobReport report = report(4096);
    assertEquals(
        new Counts(
            8, 5, 2, 6000, 100, 400, 4 << 20, 6 << 20, Map.of("bad_json", 2L, "image_missing", 1L)),
        report.counts());
    assertEquals(3, report.counts().rejected());
    assertEquals(List.of("rejects/a.jsonl", "rejects/b.jsonl"), report.rejects());
    assertEquals(6000.0 / 8192, report.packingEfficiency());
    assertEquals(1, report(0).packingEfficiency());
  }

  @Test
  void theJsonHoldsEverything() throws IOException {
    byte[] bytes = JobReportWriter.toJson(report(4096));
    assertEquals('\n', bytes[bytes.length - 1]);
    JsonNode json = new ObjectMapper().readTree(bytes);
    String expected =
        """
        {"dataset-id": "0123456789abcdef", "dataset": "s3a://b/set", "rows": 8, "samples": 5,
         "rejected": 3, "rejects": {"bad_json": 2, "image_missing": 1},
         "rejects-files": ["rejects/a.jsonl", "rejects/b.jsonl"], "packs": 2,
         "tokens": 6000, "supervised-tokens": 100, "patches": 400,
         "packing-efficiency": 0.732421875, "shards": 2, "blocks": 3, "bytes-in": 4194304,
         "bytes-out": 6291456, "wall-seconds": 12.25, "task-seconds": 8.5,
         "stages": {
           "fetch-wait": {"busy-seconds": 0.0, "share": 0.0},
           "decode": {"busy-seconds": 3.0, "share": 0.75},
           "resize": {"busy-seconds": 0.0, "share": 0.0},
           "text": {"busy-seconds": 1.0, "share": 0.25},
           "pack": {"busy-seconds": 0.0, "share": 0.0},
           "write": {"busy-seconds": 0.0, "share": 0.0},
           "upload-wait": {"busy-seconds": 0.0, "share": 0.0}},
         "bottleneck": "decode"}
        """;
    assertEquals(new ObjectMapper().readTree(expected), json);
  }

  @Test
  void theTableIsTheSameInEveryLocale() {
    String table = JobReportWriter.toTable(report(4096));
    List<String> lines = table.lines().toList();
    assertEquals("  dataset                  s3a://b/set", lines.get(0));
    assertEquals("  dataset id               0123456789abcdef", lines.get(1));
    assertTrue(table.contains("  manifest rows            8\n"), table);
    assertTrue(table.contains("  samples                  5\n"), table);
    assertTrue(table.contains("  rejected rows            3\n"), table);
    assertTrue(
        table.contains(
            "  Rejected rows by reason\n    bad_json               2, 25.00 % of the rows\n"),
        table);
    assertTrue(table.contains("  room used in packs       73.2 %\n"), table);
    assertTrue(table.contains("  supervised tokens        100\n"), table);
    assertTrue(table.contains("  images read              4.0 MiB\n"), table);
    assertTrue(table.contains("  shards written           6.0 MiB\n"), table);
    assertTrue(table.contains("  tasks of this run        8.5 s\n"), table);
    assertTrue(table.contains("    decode                 3.000 s, 75.0 %\n"), table);
    assertTrue(table.contains("  bottleneck               decode\n"), table);
    assertTrue(table.contains("  report                   s3a://b/set/report.html\n"), table);
    assertTrue(table.endsWith("  rejected rows in         s3a://b/set/rejects"), table);
    Locale before = Locale.getDefault();
    try {
      Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
      assertEquals(table, JobReportWriter.toTable(report(4096)));
    } finally {
      Locale.setDefault(before);
    }
  }

  @Test
  void namesTellTheAttemptApart() {
    Attempt attempt = new Attempt("f00d", 12, 345);
    assertEquals("shards/74/f00d-p000012-a345-000.arrow", attempt.shardName(0));
    assertEquals("shards/75/f00d-p000012-a345-001.arrow", attempt.shardName(1));
    assertEquals("rejects/f00d-p000012-a345.jsonl", attempt.rejectsName());
    Set<String> names = new HashSet<>();
    Set<String> prefixes = new HashSet<>();
    for (int partition = 0; partition < 100; partition++) {
      for (int n = 0; n < 3; n++) {
        for (long a = 0; a < 2; a++) {
          String name = new Attempt("f00d", partition, a).shardName(n);
          assertTrue(names.add(name), name);
          prefixes.add(name.substring(0, "shards/ff".length()));
        }
      }
    }
    assertTrue(prefixes.size() > 100, "spread over prefixes: " + prefixes.size());
    assertTrue(
        new Attempt("f00d", Integer.MAX_VALUE, 0).shardName(999).startsWith("shards/"),
        "no negative prefix");
  }

  @Test
  void aStagedShardHasTheBlocksItSays() {
    ShardEntry entry = new ShardEntry("shards/00/a.arrow", 1024, 0, 2);
    BlockEntry block = new BlockEntry(512, 128, 1, 1, 10, 0, 0);
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> new StagedShard(entry, List.of(block)));
    assertEquals("shards/00/a.arrow: expected 2 blocks, found 1", e.getMessage());
    assertEquals(2, new StagedShard(entry, List.of(block, block)).blocks().size());
  }

  @Test
  void blocksAreNoLargerThanShardsAndShardsLeaveRoomForOneMore() {
    new ShardSettings(ShardSettings.MAX_BYTES, ShardSettings.MAX_BLOCK_BYTES);
    for (long[] sizes :
        new long[][] {{10, 0}, {10, 11}, {(1L << 30) + 1, 1}, {1 << 30, (256 << 20) + 1}}) {
      assertThrows(IllegalArgumentException.class, () -> new ShardSettings(sizes[0], sizes[1]));
    }
  }
}
