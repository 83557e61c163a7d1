package io.stoker.preprocess.task;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.stoker.preprocess.commit.DatasetDraft;
import io.stoker.preprocess.config.PreprocessConfig;
import io.stoker.preprocess.text.ModelFileException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The identity of a dataset, and models that cannot be used. */
class ModelSetupTest {
  private static final String INPUTS = "m.jsonl 00ff";

  private static PreprocessConfig config(String... pairs) throws Exception {
    Map<String, String> values = new HashMap<>();
    values.put("input.manifests", "m.jsonl");
    values.put("output.path", "out");
    values.put("model.path", ExampleJob.EXAMPLES.resolve("model").toString());
    values.put("text.template", "qwen3-vl-instruct");
    for (int i = 0; i < pairs.length; i += 2) {
      values.put(pairs[i], pairs[i + 1]);
    }
    return PreprocessConfig.parse(values);
  }

  @Test
  void theIdDependsOnWhatTheContentDependsOnAndOnNothingElse() throws Exception {
    ModelSetup model = load(config());
    DatasetDraft draft = draft(model, config(), INPUTS, "job");
    String id = draft.datasetId();
    assertTrue(id.matches("[0-9a-f]{32}"), id);
    assertEquals(id, draft(model, config(), INPUTS, "other job").datasetId());
    assertEquals(
        id,
        draft(model, config("fetch.window", "2", "output.path", "x"), INPUTS, "job").datasetId());
    assertNotEquals(
        id, draft(model, config("shuffle.seed", "2"), INPUTS, "job").datasetId(), "seed");
    assertNotEquals(id, draft(model, config(), "m.jsonl 00fe", "job").datasetId(), "content");
    assertEquals("job", draft.jobId());
    assertEquals(
        Set.of("tokenizer.json", "preprocessor_config.json", "chat-template", "configuration"),
        draft.fingerprints().keySet());
    assertEquals("qwen3-vl-instruct", draft.fingerprints().get("chat-template"));
    assertEquals("512", draft.settings().get("pack.window"));
    assertEquals(-1f, draft.valueTable().value(0, 0));
    assertEquals(1f, draft.valueTable().value(2, 255));
  }

  private static ModelSetup load(PreprocessConfig config) throws IOException {
    return ModelSetup.load(
        config.job().model(), config.stages().text(), config.resize(), new Configuration(false));
  }

  private static DatasetDraft draft(
      ModelSetup model, PreprocessConfig config, String inputs, String jobId) {
    return DatasetDraft.of(
        jobId,
        inputs,
        model.fingerprints(),
        config.content(),
        config.stages().pixels().layout(),
        model.valueTable());
  }

  @Test
  void aModelThatCannotBeUsedIsNamed(@TempDir Path directory) throws Exception {
    assertModelProblem(directory, "expected tokenizer.json and preprocessor_config.json in ");
    for (String name : List.of("tokenizer.json", "preprocessor_config.json")) {
      Files.copy(ExampleJob.EXAMPLES.resolve("model").resolve(name), directory.resolve(name));
    }
    Files.writeString(directory.resolve("preprocessor_config.json"), "{}");
    assertModelProblem(
        directory,
        directory + "/preprocessor_config.json: expected a whole number at size.shortest_edge");
    Files.writeString(directory.resolve("tokenizer.json"), "<html>");
    Files.copy(
        ExampleJob.EXAMPLES.resolve("model/preprocessor_config.json"),
        directory.resolve("preprocessor_config.json"),
        java.nio.file.StandardCopyOption.REPLACE_EXISTING);
    assertModelProblem(directory, "");
  }

  private static void assertModelProblem(Path model, String message) throws Exception {
    PreprocessConfig config = config("model.path", model.toString());
    Exception e = assertThrows(Exception.class, () -> load(config));
    assertTrue(e instanceof IOException || e instanceof ModelFileException, e::toString);
    assertTrue(String.valueOf(e.getMessage()).startsWith(message), e.getMessage());
  }
}
