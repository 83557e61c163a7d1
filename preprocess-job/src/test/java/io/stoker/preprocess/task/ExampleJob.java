package io.stoker.preprocess.task;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.stoker.preprocess.commit.DatasetDraft;
import io.stoker.preprocess.commit.StagedPartition;
import io.stoker.preprocess.commit.SuspectRows;
import io.stoker.preprocess.config.PreprocessConfig;
import io.stoker.preprocess.manifest.Manifest;
import io.stoker.preprocess.manifest.ManifestLine;
import io.stoker.preprocess.manifest.ManifestLister;
import io.stoker.preprocess.manifest.ManifestReader;
import io.stoker.preprocess.manifest.Split;
import io.stoker.preprocess.shard.Attempt;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;

/** One partition of a job on local files with the example model, without Spark. */
public record ExampleJob(JobSpec spec, List<ManifestLine> lines) {
  public static final Path EXAMPLES = Path.of("..", "examples").toAbsolutePath().normalize();

  private static final Configuration HADOOP = new Configuration(false);

  /** A job over manifests; {@code settings} go before the defaults. */
  public static ExampleJob of(Path output, List<Path> manifests, Map<String, String> settings)
      throws Exception {
    Map<String, String> values = new HashMap<>();
    values.put(
        "input.manifests", String.join(",", manifests.stream().map(Path::toString).toList()));
    values.put("output.path", output.toString());
    values.put("model.path", EXAMPLES.resolve("model").toString());
    values.put("text.template", "qwen3-vl-instruct");
    values.putAll(settings);
    PreprocessConfig config = PreprocessConfig.parse(values);
    List<Manifest> listed = ManifestLister.list(config.job().manifests(), HADOOP);
    List<Split> splits = ManifestLister.split(listed, config.job().splitBytes());
    List<ManifestLine> lines = new ArrayList<>();
    List<String> hashes = new ArrayList<>();
    for (Split split : splits) {
      try (ManifestReader reader =
          ManifestReader.open(split, config.job().maxLineBytes(), HADOOP)) {
        for (ManifestLine line = reader.next(); line != null; line = reader.next()) {
          lines.add(line);
        }
      }
      try (ManifestReader reader =
          ManifestReader.open(split, config.job().maxLineBytes(), HADOOP)) {
        hashes.add(ManifestReader.contentHash(List.of(reader.summarize())));
      }
    }
    assertEquals(listed.size(), splits.size(), "one split each");
    ModelSetup model =
        ModelSetup.load(config.job().model(), config.stages().text(), config.resize(), HADOOP);
    DatasetDraft draft =
        DatasetDraft.of(
            "job",
            listed + " " + hashes,
            model.fingerprints(),
            config.content(),
            config.stages().pixels().layout(),
            model.valueTable());
    List<String> directories =
        manifests.stream()
            .map(file -> Objects.requireNonNull(file.getParent()).toUri().toString())
            .distinct()
            .toList();
    JobSpec spec =
        new JobSpec(
            draft.jobId(),
            draft.datasetId(),
            config.job().output(),
            model.files(),
            model.vision(),
            config.stages(),
            directories);
    return new ExampleJob(spec, lines);
  }

  /** The example manifests, all 30 lines. */
  public static ExampleJob examples(Path output, Map<String, String> settings) throws Exception {
    List<Path> manifests =
        List.of("chat.jsonl", "sharegpt.jsonl", "vqa.jsonl").stream()
            .map(EXAMPLES::resolve)
            .toList();
    return of(output, manifests, settings);
  }

  public StagedPartition run(Progress progress) throws Exception {
    return run(progress, new Attempt("job", 0, 0), SuspectRows.Mode.OFF);
  }

  public StagedPartition run(Progress progress, Attempt attempt, SuspectRows.Mode mode)
      throws Exception {
    WorkerResources resources = WorkerResources.of(spec, 2, HADOOP);
    SuspectRows suspects =
        new SuspectRows(
            resources.output(), spec.datasetId(), attempt, mode, resources.oneAtATime());
    try (PartitionRun run =
        new PartitionRun(spec, resources, attempt, suspects, lines.iterator(), progress)) {
      return run.run();
    } finally {
      WorkerResources.close(spec.jobId());
    }
  }
}
