package io.stoker.preprocess.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.stoker.preprocess.it.Processes.Ended;
import io.stoker.preprocess.it.Processes.Started;
import io.stoker.reader.DatasetVerifier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;

/** Inputs that are not what they were, before a job, between two and during one. */
@ExtendWith(Lab.Resolver.class)
class ChangedInputIT {
  private final Lab lab;
  private Path manifest = Path.of("");
  private String name = "";

  ChangedInputIT(Lab lab) {
    this.lab = lab;
  }

  @BeforeEach
  void write(TestInfo test) throws IOException {
    name = test.getTestMethod().orElseThrow().getName();
    manifest = lab.path(name + ".jsonl");
    Files.copy(Lab.EXAMPLES.resolve("sharegpt.jsonl"), manifest);
  }

  private Submission submission() {
    return lab.submission(name)
        .quick()
        .direct()
        .master("local[1]")
        .set("input.manifests", manifest.toString())
        .set("image.root", Lab.EXAMPLES.toString())
        .set("shuffle.partition-rows", "2");
  }

  /** Other bytes, but neither another length nor another time. */
  private void replaceInPlace() throws IOException {
    FileTime time = Files.getLastModifiedTime(manifest);
    String text = Files.readString(manifest);
    int letter = text.indexOf("\"id\"") + 8;
    char other = text.charAt(letter) == 'x' ? 'y' : 'x';
    Files.writeString(manifest, text.substring(0, letter) + other + text.substring(letter + 1));
    Files.setLastModifiedTime(manifest, time);
  }

  @Test
  void aPublishedDatasetIsNotReplaced() throws IOException {
    submission().runExpecting(0);
    Map<String, String> before = DatasetFiles.snapshot(lab.path(name));
    Ended unchanged = submission().runExpecting(0);
    assertTrue(unchanged.stdout().contains("nothing to do"), unchanged::toString);
    replaceInPlace();
    Ended replaced = submission().runExpecting(5);
    assertTrue(replaced.stderr().contains("there is another dataset at"), replaced::toString);
    assertEquals(before, DatasetFiles.snapshot(lab.path(name)));
  }

  @Test
  void unfinishedWorkOnOtherInputIsRefusedOrDiscarded() throws IOException {
    submission().java("-Dstoker.crash-point=after-partition").runExpecting(137);
    Map<String, String> before = DatasetFiles.snapshot(lab.path(name));
    String lines = Files.readString(manifest);
    Files.writeString(manifest, lines + lines.lines().findFirst().orElseThrow() + "\n");
    Ended refused = submission().runExpecting(9);
    assertTrue(refused.stderr().contains("output.restart=true"), refused::toString);
    assertEquals(before, DatasetFiles.snapshot(lab.path(name)));
    Ended restarted = submission().set("output.restart", "true").runExpecting(0);
    assertFalse(restarted.stderr().contains("earlier run"), restarted::toString);
    long rows = lines.lines().count() + 1;
    assertEquals(rows, DatasetFiles.at(lab.path(name)).dataset().counts().samples());
    // What the first run wrote is no part of the dataset, and clean finds it.
    Map<String, String> after = DatasetFiles.snapshot(lab.path(name));
    assertFalse(after.keySet().stream().anyMatch(file -> file.startsWith("_staging")));
    lab.clean(lab.path(name).toString(), "--older-than", "0s", "--delete");
    after = DatasetFiles.snapshot(lab.path(name));
    after.keySet().retainAll(before.keySet());
    assertEquals(Map.of(), after);
    DatasetVerifier.verify(lab.path(name));
  }

  @Test
  void aManifestThatChangesBetweenThePassesFailsTheJob() throws IOException {
    Pause pause = new Pause("after-scan", lab.path(name + "-waits"));
    Started job = submission().java(pause.flag()).start();
    pause.await(job);
    String before = Files.readString(manifest);
    replaceInPlace();
    assertNotEquals(before, Files.readString(manifest));
    pause.release();
    Ended ended = lab.processes().awaitEnd(job, Duration.ofMinutes(2));
    assertEquals(3, ended.exitCode(), ended::toString);
    assertTrue(
        ended
            .stderr()
            .contains(
                "stoker: manifest file:%s changed during the job: its content is not what the first pass read"
                    .formatted(manifest)),
        ended::toString);
    assertFalse(Files.exists(lab.path(name).resolve("dataset.json")));
  }
}
