package io.stoker.preprocess.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.stoker.preprocess.it.Processes.Ended;
import io.stoker.preprocess.it.Processes.Started;
import io.stoker.reader.DatasetVerifier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Two jobs on one output: one dataset, which the other one does not touch. */
@ExtendWith(Lab.Resolver.class)
class TwoJobsIT {
  private static final Duration TIMEOUT = Duration.ofMinutes(8);
  private static final int EXISTS = 5;
  private static final int LOST = 7;
  private static final int OUTPUT = 9;

  private final Lab lab;

  TwoJobsIT(Lab lab) {
    this.lab = lab;
  }

  private Submission submission(String output) {
    return lab.submission(output).quick().direct().master("local[1]");
  }

  private record Standing(Started job, Pause pause) {}

  /** Starts a job that stands still at a place. */
  private Standing standingAt(String point, String output) {
    Pause pause = new Pause(point, lab.path(output + "-waits"));
    Started job = submission(output).java(pause.flag()).start();
    pause.await(job);
    return new Standing(job, pause);
  }

  private Ended goOn(Standing standing) throws IOException {
    standing.pause().release();
    return lab.processes().awaitEnd(standing.job(), TIMEOUT);
  }

  private static void assertSays(Ended ended, String... parts) {
    for (String part : parts) {
      assertTrue(ended.stderr().contains(part), ended::toString);
    }
    assertFalse(ended.stderr().contains("\tat "), ended::toString);
  }

  /** Nothing but the dataset, its rejected rows and its report. */
  private static void assertNothingElseIsLeft(Path output) throws IOException {
    DatasetFiles files = DatasetFiles.at(output);
    TreeSet<String> expected = new TreeSet<>(files.shardNames());
    expected.addAll(
        List.of("dataset.json", "report.html", "report.json", files.dataset().blockTable().name()));
    JsonNode report = new ObjectMapper().readTree(files.bytes("report.json"));
    report.path("rejects-files").forEach(name -> expected.add(name.asText()));
    assertEquals(expected, DatasetFiles.snapshot(output).keySet());
    DatasetVerifier.verify(output);
  }

  /** Native libraries too are unpacked by both at once, into directories that are empty. */
  @Test
  void startedInTheSameSecondWithOneConfiguration() throws IOException {
    Path output = lab.path("twins");
    Path natives = Files.createDirectories(lab.path("twins-natives"));
    List<Started> jobs =
        Stream.generate(
                () ->
                    submission("twins")
                        .java("-Dorg.bytedeco.javacpp.cachedir=" + natives.resolve("javacpp"))
                        .environment(Map.of("DJL_CACHE_DIR", natives.resolve("djl").toString()))
                        .start())
            .limit(2)
            .toList();
    List<Ended> ended = jobs.stream().map(job -> lab.processes().awaitEnd(job, TIMEOUT)).toList();
    for (Ended one : ended) {
      boolean clear =
          switch (one.exitCode()) {
            case 0 -> true;
            case LOST -> one.stderr().contains("another job published this very dataset");
            default -> false;
          };
      assertTrue(clear, one::toString);
    }
    assertTrue(
        ended.stream()
            .flatMap(one -> one.stdout().lines())
            .anyMatch(line -> line.matches(" *samples +27")),
        ended::toString);
    DatasetFiles.at(output).assertSameAs(lab.reference());
    assertNothingElseIsLeft(output);
  }

  @Test
  void startedInTheSameSecondWithTwoConfigurations() throws IOException {
    Path output = lab.path("rivals");
    List<Started> jobs =
        List.of(
            submission("rivals").start(), submission("rivals").set("shuffle.seed", "7").start());
    List<Ended> ended = jobs.stream().map(job -> lab.processes().awaitEnd(job, TIMEOUT)).toList();
    List<Integer> codes = ended.stream().map(Ended::exitCode).sorted().toList();
    assertEquals(0, codes.get(0), ended::toString);
    assertTrue(List.of(EXISTS, LOST, OUTPUT).contains(codes.get(1)), ended::toString);
    for (Ended one : ended) {
      if (one.exitCode() != 0) {
        assertSays(one, "stoker: ", DatasetFiles.at(output).dataset().datasetId());
      }
    }
    DatasetVerifier.verify(output);
  }

  /** The second job takes over all that the first one finished, and is faster at the end. */
  @Test
  void theSlowerTwinLeavesTheSharedShardsAlone() throws IOException {
    Path output = lab.path("slow-twin");
    Standing slow = standingAt("before-dataset", "slow-twin");
    Ended fast = submission("slow-twin").runExpecting(0);
    assertTrue(fast.stderr().contains("4 of 4 partitions were finished"), fast::toString);
    Map<String, String> before = DatasetFiles.snapshot(output);
    Ended ended = goOn(slow);
    assertEquals(LOST, ended.exitCode(), ended::toString);
    assertSays(ended, "another job published this very dataset", "were left alone");
    Map<String, String> after = DatasetFiles.snapshot(output);
    // Its own block table, which nobody refers to, is gone.
    before.keySet().removeIf(name -> name.startsWith("blocks-") && !after.containsKey(name));
    assertEquals(before, after);
    DatasetFiles.at(output).assertSameAs(lab.reference());
    assertNothingElseIsLeft(output);
  }

  /**
   * The late twin writes the first records again. They name shards and rejected rows that nobody
   * needs.
   */
  @Test
  void theTwinThatRecordsAfterTheWinnerHasClearedUpLeavesNothing() throws IOException {
    Path output = lab.path("late-twin");
    Standing slow = standingAt("before-record", "late-twin");
    submission("late-twin").runExpecting(0);
    assertEquals(LOST, goOn(slow).exitCode());
    DatasetFiles.at(output).assertSameAs(lab.reference());
    assertNothingElseIsLeft(output);
  }

  /** A winner that dies before its report leaves the report to the next job, not to the loser. */
  @Test
  void theLoserKeepsWhatTheWinnersReportIsMadeOf() throws IOException {
    Path output = lab.path("late-report");
    Standing slow = standingAt("before-dataset", "late-report");
    submission("late-report").java("-Dstoker.crash-point=after-dataset").runExpecting(137);
    assertEquals(LOST, goOn(slow).exitCode());
    assertFalse(Files.exists(output.resolve("report.json")));
    submission("late-report").runExpecting(0);
    assertNothingElseIsLeft(output);
  }

  @Test
  void anotherConfigurationIsRefusedOrTakesThePlace() throws IOException {
    Path output = lab.path("other-config");
    Standing slow = standingAt("before-dataset", "other-config");
    Map<String, String> before = DatasetFiles.snapshot(output);
    Ended refused = submission("other-config").set("shuffle.seed", "7").runExpecting(OUTPUT);
    assertSays(refused, "unfinished work", "output.restart=true");
    assertEquals(before, DatasetFiles.snapshot(output));

    submission("other-config")
        .set("shuffle.seed", "7")
        .set("output.restart", "true")
        .runExpecting(0);
    Map<String, String> winner = DatasetFiles.snapshot(output);
    Ended ended = goOn(slow);
    assertEquals(LOST, ended.exitCode(), ended::toString);
    assertSays(ended, "another job published the dataset", "were left alone");
    // What the loser had written before is gone, and nothing else.
    winner.keySet().removeIf(before::containsKey);
    Map<String, String> after = DatasetFiles.snapshot(output);
    assertEquals(winner, after);
    assertNothingElseIsLeft(output);
    assertEquals(27, DatasetFiles.at(output).dataset().counts().samples());
  }
}
