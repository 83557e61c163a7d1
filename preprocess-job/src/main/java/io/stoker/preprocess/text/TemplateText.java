package io.stoker.preprocess.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.stoker.preprocess.manifest.Sha256;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The chat template a model directory carries, as text. It is hashed, never run.
 *
 * @param source the file it was found in
 * @param text the template
 */
record TemplateText(String source, String text) {
  private static final String JINJA = "chat_template.jinja";
  private static final List<String> JSON = List.of("chat_template.json", "tokenizer_config.json");

  /** Files that may carry a template, by the precedence of the reference. */
  static final List<String> FILES = List.of(JINJA, JSON.get(0), JSON.get(1));

  /**
   * The template of a model directory; null when it has none.
   *
   * @param directory URI of the directory, for messages
   * @param files content by file name
   */
  static @Nullable TemplateText find(String directory, Map<String, byte[]> files) {
    byte[] jinja = files.get(JINJA);
    if (jinja != null) {
      return new TemplateText(directory + "/" + JINJA, new String(jinja, StandardCharsets.UTF_8));
    }
    for (String name : JSON) {
      byte[] json = files.get(name);
      if (json != null) {
        String source = directory + "/" + name;
        String text = defaultTemplate(source, json);
        if (text != null) {
          return new TemplateText(source, text);
        }
      }
    }
    return null;
  }

  /** SHA-256 of the UTF-8 form of the text. */
  String sha256() {
    return Sha256.hex(text.getBytes(StandardCharsets.UTF_8));
  }

  /** The same without a final newline, which the template language drops anyway. */
  String sha256WithoutFinalNewline() {
    String cut = text.endsWith("\n") ? text.substring(0, text.length() - 1) : text;
    return Sha256.hex(cut.getBytes(StandardCharsets.UTF_8));
  }

  /** The member {@code chat_template}: a string, or a list of named templates. */
  private static @Nullable String defaultTemplate(String source, byte[] json) {
    JsonNode template;
    try {
      template = new ObjectMapper().readTree(json).path("chat_template");
    } catch (IOException e) {
      throw new ModelFileException("expected JSON in " + source, e);
    }
    for (JsonNode named : template) {
      if (named.path("name").asText().equals("default")) {
        return named.path("template").textValue();
      }
    }
    return template.textValue();
  }
}
