package io.stoker.preprocess.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.stoker.preprocess.it.Processes.Ended;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Jobs that must not succeed: an exit code, one clear sentence, nothing written. */
@ExtendWith(Lab.Resolver.class)
class RefusalIT {
  private final Lab lab;

  RefusalIT(Lab lab) {
    this.lab = lab;
  }

  private Submission submission(String name) {
    return lab.submission(name).quick().master("local[2]");
  }

  /** Runs a job and returns what it says, one string per line. */
  private List<String> refused(int exitCode, String name, Submission submission)
      throws IOException {
    Map<String, String> before = DatasetFiles.snapshot(lab.path(name));
    Ended ended = submission.runExpecting(exitCode);
    assertFalse(ended.stderr().contains("\tat "), ended::toString);
    assertEquals("", ended.stdout());
    assertEquals(before, DatasetFiles.snapshot(lab.path(name)));
    return said(ended);
  }

  /** What the job says but for its progress. */
  private static List<String> said(Ended ended) {
    return ended
        .stderr()
        .lines()
        .filter(line -> line.startsWith("stoker: ") && !line.contains("rows in"))
        .map(line -> line.substring("stoker: ".length()))
        .toList();
  }

  private static void assertSays(List<String> said, String... parts) {
    assertEquals(1, said.size(), said::toString);
    for (String part : parts) {
      assertTrue(said.get(0).contains(part), said::toString);
    }
  }

  @Test
  void anUnknownKeyAndTheNearestOne() throws IOException {
    assertEquals(
        List.of("unknown key 'pack.max-token'; did you mean 'pack.max-tokens'?"),
        refused(2, "unknown-key", submission("unknown-key").set("pack.max-token", "8")));
  }

  @Test
  void allMissingKeysTogether() throws IOException {
    Submission submission =
        submission("missing-keys")
            .unset("input.manifests")
            .unset("output.path")
            .unset("model.path");
    List<String> said = refused(2, "missing-keys", submission);
    assertEquals(
        List.of(
            "input.manifests: expected at least one manifest, found nothing",
            "output.path: expected a directory for the dataset, found nothing",
            "model.path: expected a model directory, found nothing"),
        said);
  }

  @Test
  void aMissingManifest() throws IOException {
    String missing = lab.path("no-such.jsonl").toString();
    assertSays(
        refused(
            3, "missing-manifest", submission("missing-manifest").set("input.manifests", missing)),
        "no manifest found",
        missing);
  }

  @Test
  void aCompressedManifest() throws IOException {
    Path manifest = lab.path("compressed.jsonl");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(manifest))) {
      Files.copy(Lab.EXAMPLES.resolve("vqa.jsonl"), out);
    }
    assertSays(
        refused(
            3, "compressed", submission("compressed").set("input.manifests", manifest.toString())),
        manifest.toString(),
        "gzip data (decompress it first)");
  }

  @Test
  void aModelDirectoryWithoutFiles() throws IOException {
    Path model = Files.createDirectories(lab.path("empty-model"));
    assertSays(
        refused(4, "no-model", submission("no-model").set("model.path", model.toString())),
        "tokenizer.json and preprocessor_config.json",
        model.toString());
  }

  @Test
  void anUnknownChatTemplate() throws IOException {
    Path model = lab.path("other-model");
    Lab.copyTree(Lab.EXAMPLES.resolve("model"), model);
    Files.writeString(model.resolve("chat_template.jinja"), "{{ messages[0]['content'] }}");
    assertSays(
        refused(
            4,
            "unknown-template",
            submission("unknown-template")
                .set("model.path", model.toString())
                .set("text.template", "auto")),
        "chat_template.jinja",
        "templates are not evaluated",
        "text.template");
  }

  @Test
  void anotherDatasetAtTheOutput() throws IOException {
    // This is made first, because the snapshot before the job must hold it.
    lab.reference();
    assertSays(
        refused(5, "reference", submission("reference").set("shuffle.seed", "1")),
        "there is another dataset at",
        "choose another output.path or remove it");
  }

  @Test
  void theSameDatasetAtTheOutputIsNoFailure() throws IOException {
    lab.reference();
    Map<String, String> before = DatasetFiles.snapshot(lab.path("reference"));
    Ended ended = submission("reference").runExpecting(0);
    assertTrue(ended.stdout().startsWith("stoker: nothing to do: "), ended::toString);
    // A user who has mended an image must not believe that it is in the dataset now.
    assertTrue(
        ended.stdout().contains("images are not compared: to try the 3 rejected rows again"),
        ended::toString);
    assertEquals(before, DatasetFiles.snapshot(lab.path("reference")));
  }

  @Test
  void tooManyRejectedRowsUntilTheyAreTolerated() throws IOException {
    Ended ended =
        submission("rejects")
            .set("rejects.max-fraction", "0")
            .set("rejects.min-tolerated", "0")
            .runExpecting(6);
    assertSays(
        said(ended),
        "3 of 30 rows were rejected {bad_json=1, image_missing=1, media_count_mismatch=1}",
        "0 are tolerated (rejects.max-fraction, rejects.min-tolerated)");
    assertFalse(ended.stderr().contains("\tat "), ended::toString);
    assertFalse(Files.exists(lab.path("rejects").resolve("dataset.json")));
    // The rejected rows stay: they are what the user needs to mend the input.
    assertTrue(
        DatasetFiles.snapshot(lab.path("rejects")).keySet().stream()
            .anyMatch(name -> name.startsWith("rejects/")));
    DatasetFiles tolerated =
        lab.dataset("rejects", submission("rejects").set("rejects.min-tolerated", "3"));
    tolerated.assertSameAs(lab.reference());
  }

  @Test
  void aBucketThatDoesNotExist() throws IOException {
    Ended ended =
        submission("no-bucket")
            .output("s3://no-such-bucket/dataset")
            .environment(lab.s3Environment(lab.server().port()))
            .run();
    assertEquals(9, ended.exitCode(), ended::toString);
    assertFalse(ended.stderr().contains("\tat "), ended::toString);
    assertSays(
        said(ended), "cannot write a dataset at s3a://no-such-bucket/dataset", "does not exist");
  }

  @Test
  void aManifestInABucketThatDoesNotExist() throws IOException {
    Ended ended =
        submission("no-input-bucket")
            .set("input.manifests", "s3://no-such-bucket/train.jsonl")
            .environment(lab.s3Environment(lab.server().port()))
            .run();
    assertEquals(1, ended.exitCode(), ended::toString);
    assertFalse(ended.stderr().contains("\tat "), ended::toString);
    assertTrue(
        ended.stderr().contains("the store's endpoint and its credentials"), ended::toString);
  }

  @Test
  void sparksOptionsInTheWrongPlaceAndAJarThatIsNotThere() throws IOException {
    String submit = Lab.TOP.resolve("scripts/submit").toString();
    Ended ended =
        lab.processes()
            .run(List.of(submit, "--master", "local[1]"), Map.of(), Duration.ofMinutes(1));
    assertEquals(2, ended.exitCode(), ended::toString);
    assertTrue(
        ended.stderr().contains("Spark's options go first, before a lone \"--\"."),
        ended::toString);
    ended =
        lab.processes()
            .run(
                List.of(submit, "--help"),
                Map.of("STOKER_JAR", "/nowhere/job.jar"),
                Duration.ofMinutes(1));
    assertEquals(2, ended.exitCode(), ended::toString);
    assertTrue(ended.stderr().contains("at /nowhere/job.jar (STOKER_JAR)"), ended::toString);
  }

  /** The dataset is there. A report that cannot be written must not make the job say otherwise. */
  @Test
  void aReportThatCannotBeWrittenIsNoFailure() throws IOException {
    Files.createDirectories(lab.path("no-report").resolve("report.html/in-the-way"));
    Ended ended = submission("no-report").runExpecting(0);
    assertTrue(
        (ended.stdout() + ended.stderr())
            .contains("the dataset is published, but its report could not be written: "),
        ended::toString);
    DatasetFiles.at(lab.path("no-report")).assertSameAs(lab.reference());
  }

  private static boolean isScript(Path file) {
    return Files.isRegularFile(file) && !file.toString().endsWith(".md");
  }

  @Test
  void helpIsNoFailure() throws IOException {
    try (Stream<Path> scripts = Files.list(Lab.TOP.resolve("scripts"))) {
      for (Path script : scripts.filter(RefusalIT::isScript).sorted().toList()) {
        Ended ended =
            lab.processes()
                .run(List.of(script.toString(), "--help"), Map.of(), Duration.ofMinutes(1));
        assertEquals(0, ended.exitCode(), ended::toString);
        assertTrue(ended.stdout().contains("Usage: "), ended::toString);
        if (script.endsWith("submit")) {
          assertTrue(ended.stdout().contains("--set"), ended::toString);
          assertTrue(ended.stdout().contains("Exit codes:"), ended::toString);
        }
      }
    }
  }
}
