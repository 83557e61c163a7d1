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
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Executors that die, hang or are overtaken, on a real cluster. */
@ExtendWith(Lab.Resolver.class)
@ResourceLock(Cluster.CORES)
class ExecutorLossIT {
  private static final Duration TIMEOUT = Duration.ofMinutes(8);
  private static final int COPIES = 6;
  private static final int ROWS = 19 * COPIES;

  private final Lab lab;

  ExecutorLossIT(Lab lab) {
    this.lab = lab;
  }

  /** The same rows over and over. Their places tell them apart. */
  private Submission many(Submission submission) throws IOException {
    Path manifest = lab.path("many.jsonl");
    if (!Files.exists(manifest)) {
      Files.writeString(
          manifest, Files.readString(Lab.EXAMPLES.resolve("vqa.jsonl")).repeat(COPIES));
    }
    return submission
        .set("input.manifests", manifest.toString())
        .set("image.root", Lab.EXAMPLES.toString());
  }

  private DatasetFiles reference() throws IOException {
    return lab.dataset("many", many(lab.submission("many").quick().direct().master("local[2]")));
  }

  private static void assertAccounts(DatasetFiles files) throws IOException {
    JsonNode report = new ObjectMapper().readTree(files.bytes("report.json"));
    assertEquals(ROWS, report.path("rows").asInt());
    assertEquals(ROWS, report.path("samples").asInt() + report.path("rejected").asInt());
  }

  private static Set<String> shardsIn(Path output) throws IOException {
    return DatasetFiles.snapshot(output).keySet().stream()
        .filter(name -> name.startsWith("shards/"))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /**
   * The rows that the executor had shuffled are lost with it, so that the stage before runs again.
   */
  @Test
  void anExecutorKilledInAShardChangesNothing() throws Exception {
    Path output = lab.path("killed");
    Path events = Files.createDirectories(lab.path("killed-events"));
    Pause pause = new Pause("in-shard", lab.path("killed-executor"));
    Started job =
        many(lab.cluster().submission("killed", pause.flag()))
            .spark("--conf", "spark.eventLog.enabled=true")
            .spark("--conf", "spark.eventLog.compress=false")
            .spark("--conf", "spark.eventLog.rolling.enabled=false")
            .spark("--conf", "spark.eventLog.dir=" + events.toUri())
            .start();
    ProcessHandle executor = pause.await(job);
    assertTrue(
        executor.info().commandLine().orElse("").contains("CoarseGrainedExecutorBackend"),
        () -> executor.info().toString());
    Processes.await(job, TIMEOUT, () -> !records(output).isEmpty());
    assertTrue(executor.destroyForcibly());
    Ended ended = lab.processes().awaitEnd(job, TIMEOUT);
    assertEquals(0, ended.exitCode(), ended::toString);

    DatasetFiles files = DatasetFiles.at(output);
    files.assertSameAs(reference());
    assertAccounts(files);
    assertTrue(stageRanAgain(events), "a stage was submitted a second time");
    assertOnlyOrphansAreLeft(output, files);
  }

  private static Set<String> records(Path output) {
    try {
      return DatasetFiles.snapshot(output.resolve("_staging")).keySet().stream()
          .filter(name -> name.matches("[0-9a-f]+/p[0-9]+\\.json"))
          .collect(Collectors.toSet());
    } catch (IOException e) {
      // Files come and go under a running job.
      return Set.of();
    }
  }

  private static boolean stageRanAgain(Path events) throws IOException {
    try (Stream<Path> logs = Files.list(events)) {
      for (Path log : logs.toList()) {
        for (String line : Files.readAllLines(log)) {
          if (line.contains("SparkListenerStageSubmitted")
              && new ObjectMapper()
                      .readTree(line)
                      .path("Stage Info")
                      .path("Stage Attempt ID")
                      .asInt()
                  > 0) {
            return true;
          }
        }
      }
    }
    return false;
  }

  /** What the dead attempts left is what {@code stoker clean} lists and removes. */
  private void assertOnlyOrphansAreLeft(Path output, DatasetFiles files) throws IOException {
    Set<String> orphans = shardsIn(output);
    orphans.removeAll(files.shardNames());
    assertFalse(orphans.isEmpty(), "a killed executor leaves the shard it was writing");
    List<String> young = lab.clean(output.toString()).stdout().lines().toList();
    assertEquals(List.of("0 orphans, 0 bytes, and 0 pending uploads"), young);
    lab.clean(output.toString(), "--older-than", "0s", "--delete");
    assertEquals(new TreeSet<>(files.shardNames()), shardsIn(output));
    files.assertSameAs(reference());
    DatasetVerifier.verify(output);
  }

  /** A slow attempt is overtaken by a second one, and both come to their ends. */
  @Test
  void bothAttemptsAtAPartitionMayFinish() throws Exception {
    Path output = lab.path("speculation");
    Pause slow = new Pause("before-record", lab.path("slow-executor"));
    Pause driver = new Pause("after-tasks", lab.path("waiting-driver"));
    Started job =
        many(lab.cluster().submission("speculation", slow.flag()))
            .java(driver.flag())
            .spark("--conf", "spark.speculation=true")
            .spark("--conf", "spark.speculation.interval=200ms")
            .spark("--conf", "spark.speculation.quantile=0.1")
            .spark("--conf", "spark.speculation.multiplier=1.0")
            .start();
    slow.await(job);
    driver.await(job);
    Set<String> before = shardsIn(output);
    slow.release();
    // The slow attempt finds the record of the fast one and removes its own shards.
    Processes.await(job, TIMEOUT, () -> fewer(output, before));
    driver.release();
    Ended ended = lab.processes().awaitEnd(job, TIMEOUT);
    assertEquals(0, ended.exitCode(), ended::toString);
    DatasetFiles files = DatasetFiles.at(output);
    files.assertSameAs(reference());
    assertAccounts(files);
    assertTrue(before.containsAll(files.shardNames()));
    DatasetVerifier.verify(output);
  }

  private static boolean fewer(Path output, Set<String> before) {
    try {
      return shardsIn(output).size() < before.size();
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void aRowThatKillsItsExecutorTwiceIsRejected() throws IOException {
    Ended ended =
        lab.cluster().submission("poison", "-Dstoker.crash-point=sample-vqa-006").runExpecting(0);
    DatasetFiles files = DatasetFiles.at(lab.path("poison"));
    assertEquals(Oracle.SAMPLES - 1, files.dataset().counts().samples(), ended::toString);
    List<String> rejects =
        files.rejects().stream().filter(line -> line.contains("\"resource_limit\"")).toList();
    assertEquals(1, rejects.size(), () -> rejects.toString());
    assertTrue(rejects.get(0).contains("vqa-006"), rejects::toString);
    assertEquals(4, files.dataset().counts().rejects().values().stream().mapToLong(n -> n).sum());
    assertFalse(Files.exists(lab.path("poison").resolve("_staging")));
    DatasetVerifier.verify(lab.path("poison"));
  }
}
