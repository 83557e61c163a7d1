package io.stoker.preprocess.text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.stoker.preprocess.manifest.Sha256;
import io.stoker.preprocess.text.TextSettings.ControlTokenPolicy;
import io.stoker.preprocess.text.TextSettings.LabelMode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ModelDirectoryTest {
  private static final String KNOWN =
      "qwen3-vl-instruct (sha256"
          + " 3636d0f0bd6bef02654cdffdc447b79cb2cef8ab02cc75267345946291a489e4)";

  /** SHA-256 of {@code {{ messages }}}. */
  private static final String OTHER =
      Sha256.hex("{{ messages }}".getBytes(java.nio.charset.StandardCharsets.UTF_8));

  private Path directory;

  @BeforeEach
  void writeTokenizer(@TempDir Path directory) throws IOException {
    this.directory = directory;
    Files.writeString(
        directory.resolve("tokenizer.json"),
        """
        {"added_tokens": [{"id": 1, "content": "<|im_start|>", "special": true}],
         "model": {"type": "BPE", "vocab": {"a": 0}, "merges": []}}
        """);
    Files.writeString(directory.resolve("preprocessor_config.json"), "{}");
  }

  @Test
  void fingerprintsTheTokenizer() {
    assertEquals(
        "aeb13307a71acd8fe81861d94ad54ab689df773318809eed3cbe794b4492dae4",
        Models.QWEN.fingerprints().get("tokenizer.json"));
    assertNull(templateSha256(Models.QWEN));
  }

  @Test
  void needsATokenizer() throws IOException {
    Files.delete(directory.resolve("tokenizer.json"));
    UncheckedIOException e = assertThrows(UncheckedIOException.class, () -> Models.read(directory));
    assertTrue(
        String.valueOf(e.getMessage())
            .contains(
                "expected tokenizer.json and preprocessor_config.json in the model directory "
                    + directory
                    + ", found: "),
        e.getMessage());
  }

  @Test
  void withoutTemplateTheSettingHasToNameIt() throws IOException {
    ModelDirectory model = Models.read(directory);
    assertEquals(
        "expected chat_template.jinja, chat_template.json or a chat_template in"
            + " tokenizer_config.json beside "
            + directory.resolve("tokenizer.json")
            + ", found none: name the template by setting text.template to one of ["
            + KNOWN
            + "]",
        assertThrows(ModelFileException.class, () -> model.templateName("auto")).getMessage());
    assertEquals("qwen3-vl-instruct", model.templateName("qwen3-vl-instruct"));
    assertEquals(
        "expected text.template to be auto or one of [" + KNOWN + "], found chatml",
        assertThrows(ModelFileException.class, () -> model.templateName("chatml")).getMessage());
  }

  @Test
  void refusesAnUnknownTemplateByHash() throws IOException {
    Path file = directory.resolve("chat_template.jinja");
    Files.writeString(file, "{{ messages }}");
    ModelDirectory model = Models.read(directory);
    assertEquals(OTHER, templateSha256(model));
    assertEquals(
        "expected a known chat template in %s, found one with sha256 %s: templates are not evaluated; if it renders like one of [%s], name that in text.template"
            .formatted(file, OTHER, KNOWN),
        assertThrows(ModelFileException.class, () -> model.templateName("auto")).getMessage());
  }

  @Test
  void findsTemplatesInJson() throws IOException {
    Path config = directory.resolve("tokenizer_config.json");
    Files.writeString(config, "{\"chat_template\": \"{{ messages }}\"}");
    assertEquals(OTHER, templateSha256(Models.read(directory)));
    Files.writeString(
        config,
        """
        {"chat_template": [{"name": "rag", "template": "x"},
                           {"name": "default", "template": "{{ messages }}"}]}
        """);
    assertEquals(OTHER, templateSha256(Models.read(directory)));
    Files.writeString(config, "{}");
    assertNull(templateSha256(Models.read(directory)));
    Files.writeString(directory.resolve("chat_template.json"), "{\"chat_template\": \"y\"}");
    Files.writeString(config, "{\"chat_template\": \"{{ messages }}\"}");
    assertTrue(!OTHER.equals(templateSha256(Models.read(directory))), "json goes first");
  }

  @Test
  void namesTheMissingControlToken() throws IOException {
    ModelDirectory model = Models.read(directory);
    TextSettings settings =
        new TextSettings("qwen3-vl-instruct", ControlTokenPolicy.PLAIN, LabelMode.STRUCTURE);
    ModelFileException e =
        assertThrows(ModelFileException.class, () -> new TextEncoder(model, settings).close());
    assertEquals(
        "expected the added token <|im_end|> in %s, found none of that name"
            .formatted(directory.resolve("tokenizer.json")),
        e.getMessage());
  }

  @Test
  void refusesATokenizerThatIsNoJson() throws IOException {
    Path file = directory.resolve("tokenizer.json");
    Files.writeString(file, "version https://git-lfs.github.com/spec/v1");
    ModelDirectory model = Models.read(directory);
    ModelFileException e =
        assertThrows(
            ModelFileException.class,
            () -> new TokenizerFile(file.toString(), model.tokenizerJson()));
    assertEquals("expected JSON in " + file, e.getMessage());
  }

  private static @Nullable String templateSha256(ModelDirectory model) {
    TemplateText template = TemplateText.find(model.source(), model.files());
    return template == null ? null : template.sha256();
  }
}
