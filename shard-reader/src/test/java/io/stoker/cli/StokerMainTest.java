package io.stoker.cli;

import static io.stoker.cli.Ran.GOLDEN;
import static io.stoker.cli.Ran.assertOutput;
import static io.stoker.cli.Ran.assertRefused;
import static io.stoker.cli.Ran.run;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import io.stoker.fixture.TestDataset;
import io.stoker.format.PixelLayout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StokerMainTest {
  @Test
  void inspectSaysWhatADatasetIs() {
    assertOutput(
        """
        dataset id           golden
        format version       1
        software version     test
        samples              4
        packs                3
        tokens               12
        supervised tokens    12
        supervised fraction  100.0 %
        patches              12
        packing efficiency   0.1 % of pack.max-tokens
        pixels               uint8, temporal slots single
        shards               2
        shard bytes          17.5 KiB
        blocks               2
        bytes per block      4.9 KiB to 7.8 KiB, mean 6.3 KiB
        packs per block      1 to 2, mean 1.5
        fingerprints
          tokenizer          0123
        settings
          pack.max-tokens    4096
        rejects
          bad_json           2
        """,
        "inspect", GOLDEN);
    assertOutput(
        """
        {
          "dataset-id" : "golden",
          "format-version" : 1,
          "software-version" : "test",
          "samples" : 4,
          "packs" : 3,
          "tokens" : 12,
          "supervised-tokens" : 12,
          "supervised-fraction" : 1.0,
          "patches" : 12,
          "packing-efficiency" : 0.001,
          "pixels" : {
            "encoding" : "uint8",
            "temporal" : "single"
          },
          "shards" : 2,
          "shard-bytes" : 17924,
          "blocks" : 2,
          "bytes-per-block" : {
            "min" : 4992,
            "max" : 8000,
            "mean" : 6496.0
          },
          "packs-per-block" : {
            "min" : 1,
            "max" : 2,
            "mean" : 1.5
          },
          "fingerprints" : {
            "tokenizer" : "0123"
          },
          "settings" : {
            "pack.max-tokens" : "4096"
          },
          "rejects" : {
            "bad_json" : 2
          }
        }
        """,
        "inspect",
        "--json",
        GOLDEN);
  }

  @Test
  void verifyReportsProgressAndResult() {
    String ok = "ok: dataset golden: 2 shards, 2 blocks, 3 packs, 4 samples, 17.5 KiB\n";
    assertEquals(
        new Ran(
            0,
            ok,
            """
             38 %, 4.9 KiB of 12.7 KiB, shards/00/test.arrow
            100 %, 12.7 KiB of 12.7 KiB, shards/01/test.arrow
            """),
        run("verify", GOLDEN));
    assertOutput(ok, "verify", "--quiet", GOLDEN);
  }

  @Test
  void verifyNamesShardAndBlock(@TempDir Path root) throws IOException {
    TestDataset.write(root, "golden", PixelLayout.UINT8, new int[] {2}, new int[] {1});
    Path file = root.resolve("shards/01/test.arrow");
    byte[] shard = Files.readAllBytes(file);
    shard[9000] ^= 1;
    Files.write(file, shard);
    Ran ran = run("verify", "-q", root.toString());
    assertEquals(1, ran.code());
    assertTrue(
        ran.err()
            .matches(
                "stoker: shards/01/test.arrow, block at 1216: crc32c: expected [0-9a-f]+, found"
                    + " [0-9a-f]+\n"),
        ran.err());
    Files.delete(file);
    assertEquals(3, run("verify", "-q", root.toString()).code());
  }

  @Test
  void statsShowsDistributions() {
    assertOutput(
        """
        2 of 2 blocks read; 12 of 12 tokens supervised (100.0 %)

        tokens per pack: 3 packs, mean 4.0, min 2, p50 4, p90 6, p99 6, max 6
                             2 |########################################| 1  33.3 %
                             3 |                                        | 0  0.0 %
                             4 |########################################| 1  33.3 %
                             5 |                                        | 0  0.0 %
                             6 |########################################| 1  33.3 %

        samples per pack: 3 packs, mean 1.3, min 1, p50 1, p90 2, p99 2, max 2
                             1 |########################################| 2  66.7 %
                             2 |####################                    | 1  33.3 %

        tokens per sample: 4 samples, mean 3.0, min 2, p50 3, p90 4, p99 4, max 4
                             2 |####################                    | 1  25.0 %
                             3 |########################################| 2  50.0 %
                             4 |####################                    | 1  25.0 %

        images per pack: 3 packs, mean 1.0, min 0, p50 1, p90 2, p99 2, max 2
                             0 |########################################| 1  33.3 %
                             1 |########################################| 1  33.3 %
                             2 |########################################| 1  33.3 %

        patches per image: 3 images, mean 4.0, min 4, p50 4, p90 4, p99 4, max 4
                             4 |########################################| 3  100.0 %

        supervised tokens of a sample in percent: 4 samples, mean 100.0, min 100, p50 100, p90 100,\
         p99 100, max 100
                           100 |########################################| 4  100.0 %
        """,
        "stats", GOLDEN);
    Ran json = run("stats", "--json", "--every", "2", GOLDEN);
    assertEquals(0, json.code());
    assertTrue(
        json.out()
            .contains(
                """
              "patches-per-image" : {
                "count" : 1,
                "mean" : 4.0,
                "min" : 4,
                "p50" : 4,
                "p90" : 4,
                "p99" : 4,
                "max" : 4,
                "bins" : [ {
                  "from" : 4,
                  "to" : 4,
                  "count" : 1
                } ]
              },
            """),
        json.out());
    assertRefused(2, "stoker: --every: expected at least 1, found 0", "stats", GOLDEN, "--every=0");
  }

  @Test
  void missingArgumentsAreNamed() {
    assertRefused(2, "stoker: Missing required parameter: 'DATASET'", "inspect");
  }

  @Test
  void missingDatasetIsNamed(@TempDir Path root) {
    Path nowhere = root.resolve("nowhere");
    for (String command : new String[] {"inspect", "verify", "stats"}) {
      assertRefused(
          3,
          "stoker: no dataset at " + nowhere.toUri() + ": there is no dataset.json",
          command,
          nowhere.toString());
    }
  }

  @Test
  void benchReadsEverything() {
    Ran ran = run("bench", GOLDEN, "--ranks=1", "--step=1ms");
    assertEquals(0, ran.code(), ran.err());
    assertTrue(ran.out().contains("3 batches, 4 samples"), ran.out());
    assertTrue(ran.out().contains("  throughput         "), ran.out());
    assertTrue(ran.out().contains("fewer than 20 steps of a rank say little"), ran.out());
    Ran more = run("bench", GOLDEN, "--ranks=1", "--step=0ms", "--epochs=7");
    assertFalse(more.out().contains("say little"), more.out());
    assertRefused(
        2,
        "stoker: the dataset has 3 packs, fewer than the global batch of 4",
        "bench",
        GOLDEN,
        "--ranks=4");
  }

  @Test
  void benchReadsAsOneRankOfSeveral() {
    for (int rank = 0; rank < 3; rank++) {
      Ran ran = run("bench", GOLDEN, "--ranks=3", "--only-rank=" + rank, "--step=0ms");
      assertEquals(0, ran.code(), ran.err());
      assertTrue(ran.out().contains("ranks              " + rank + " of 3, steps"), ran.out());
      assertTrue(ran.out().contains("1 batches, "), ran.out());
    }
    assertRefused(
        2,
        "stoker: --only-rank: expected one in [0, 3), found 3",
        "bench",
        GOLDEN,
        "--ranks=3",
        "--only-rank=3");
  }

  @ParameterizedTest
  @ValueSource(strings = {"inspect", "verify", "stats", "plan", "bench"})
  void helpHasExamplesAndExitCodes(String command) {
    Ran ran = run(command, "--help");
    assertEquals(0, ran.code());
    assertTrue(ran.out().startsWith("Usage: stoker " + command + " "), ran.out());
    assertTrue(ran.out().contains("\nExamples:\n  stoker " + command + " /data/train"), ran.out());
    assertTrue(ran.out().contains("\nExit codes:\n  0    done\n"), ran.out());
  }

  @ParameterizedTest
  @ValueSource(strings = {"inspect", "stats", "plan --global-batch 2 --steps", "bench --step 0ms"})
  void jsonIsJson(String command) throws IOException {
    Ran ran = run((command + " --json " + GOLDEN).split(" "));
    try (JsonParser parser = new JsonFactory().createParser(ran.out())) {
      parser.nextToken();
      parser.skipChildren();
      assertEquals(null, parser.nextToken());
    }
  }
}
