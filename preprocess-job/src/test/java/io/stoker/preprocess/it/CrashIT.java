package io.stoker.preprocess.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.stoker.preprocess.it.Processes.Ended;
import io.stoker.reader.DatasetVerifier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A driver dies at any of its crash points and is submitted again. The dataset is that of a job to
 * which nothing happened, and no finished partition is done twice.
 */
@ExtendWith(Lab.Resolver.class)
class CrashIT {
  private static final int KILLED = 137;
  private static final int PARTITIONS = 4;
  private static final String BUCKET = "crashes";

  private final Lab lab;

  CrashIT(Lab lab) {
    this.lab = lab;
  }

  /** What a killed run left that the next one must keep. */
  private record Left(Map<String, String> records, boolean published) {
    static Left at(Path output) throws IOException {
      Map<String, String> files = DatasetFiles.snapshot(output);
      Map<String, String> records = new TreeMap<>();
      for (String name : files.keySet()) {
        if (name.matches("_staging/[0-9a-f]+/p[0-9]+\\.json")) {
          records.put(name, Files.readString(output.resolve(name)));
        }
      }
      return new Left(records, files.containsKey("dataset.json"));
    }

    Set<String> shards() {
      return records.values().stream()
          .flatMap(json -> Pattern.compile("shards/[^\"]+").matcher(json).results())
          .map(MatchResult::group)
          .collect(Collectors.toSet());
    }
  }

  /** Each run of a chain dies at a later place than the one before; the last one succeeds. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "after-scan in-shard:2 after-shard:2 after-shards after-rejects",
        "before-record after-partition after-partition:2",
        "after-tasks before-block-table before-dataset",
        "after-dataset after-report"
      })
  void aKilledDriverIsFollowedByTheSameDataset(String points) throws IOException {
    String name = "crash-" + points.replaceAll("[ :]", "-");
    runAll(
        List.of(points.split(" ")),
        lab.path(name),
        // With one core, it does not depend on threads which partitions are done when the process
        // dies.
        () -> lab.submission(name).quick().direct().master("local[1]"));
  }

  @Test
  void onTwoCoresToo() throws IOException {
    runAll(
        List.of("in-shard:5"),
        lab.path("crash-two-cores"),
        () -> lab.submission("crash-two-cores").quick().direct().master("local[2]"));
  }

  @Test
  void andOnAnObjectStore() throws IOException {
    Files.createDirectories(lab.server().bucket(BUCKET));
    runAll(
        List.of("in-shard:2", "after-partition:2", "after-dataset"),
        lab.server().bucket(BUCKET).resolve("set"),
        () ->
            lab.submission("crash-s3")
                .output("s3://%s/set".formatted(BUCKET))
                .quick()
                .direct()
                .master("local[1]")
                .environment(S3Server.CREDENTIALS)
                .spark(lab.server().sparkOptions()));
  }

  private void runAll(List<String> points, Path output, Supplier<Submission> submission)
      throws IOException {
    for (String point : points) {
      Left before = Left.at(output);
      Ended killed = submission.get().java("-Dstoker.crash-point=" + point).runExpecting(KILLED);
      assertNotRedone(killed, before);
      Left left = Left.at(output);
      assertRecords(point, before.records(), left.records());
      assertEquals(point.matches("after-dataset|after-report"), left.published());
    }
    Left left = Left.at(output);
    Ended last = submission.get().runExpecting(0);
    assertNotRedone(last, left);
    DatasetFiles files = DatasetFiles.at(output);
    files.assertSameAs(lab.reference());
    DatasetVerifier.verify(output);
    // Their shards are in the dataset under the names that the killed jobs gave them.
    assertTrue(files.shardNames().containsAll(left.shards()), left::toString);
    Map<String, String> rest = DatasetFiles.snapshot(output);
    assertTrue(rest.keySet().containsAll(List.of("report.json", "report.html")), rest::toString);
    assertFalse(rest.keySet().stream().anyMatch(file -> file.startsWith("_")), rest::toString);
  }

  /**
   * Records of finished partitions stay as they are. At some crash points the test also knows how
   * many more there are.
   */
  private static void assertRecords(
      String point, Map<String, String> before, Map<String, String> after) {
    before.forEach((name, json) -> assertEquals(json, after.get(name)));
    int more = after.size() - before.size();
    if (point.startsWith("after-partition")) {
      assertEquals(point.endsWith(":2") ? 2 : 1, more);
    } else if (point.matches("after-tasks|before-block-table|.*-dataset|after-report")) {
      assertEquals(PARTITIONS, after.size());
    } else if (point.equals("after-scan")) {
      assertEquals(0, more);
    }
  }

  private static void assertNotRedone(Ended run, Left left) {
    int done = left.published() ? 0 : left.records().size();
    assertEquals(
        done > 0
            ? List.of(
                "stoker: %d of %d partitions were finished by an earlier run and are not done again"
                    .formatted(done, PARTITIONS))
            : List.of(),
        run.stderr().lines().filter(line -> line.contains("earlier run")).toList());
    if (left.published() && run.exitCode() == 0) {
      assertTrue(run.stdout().contains("nothing to do"), run::toString);
    }
  }
}
