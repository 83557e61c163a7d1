package io.stoker.preprocess.text;

import java.util.Arrays;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The chat templates whose grammar {@link PromptRenderer} knows. */
enum ChatTemplate {
  QWEN3_VL_INSTRUCT(
      "qwen3-vl-instruct", "3636d0f0bd6bef02654cdffdc447b79cb2cef8ab02cc75267345946291a489e4");

  private final String templateName;
  private final String sha256;

  ChatTemplate(String templateName, String sha256) {
    this.templateName = templateName;
    this.sha256 = sha256;
  }

  String templateName() {
    return templateName;
  }

  /**
   * The template that a setting selects.
   *
   * @param setting a name, which wins over what the directory holds, or {@value TextSettings#AUTO}
   * @param found the directory's template
   * @param tokenizerFile a file of the directory, for messages
   */
  static ChatTemplate select(String setting, @Nullable TemplateText found, String tokenizerFile) {
    if (!setting.equals(TextSettings.AUTO)) {
      for (ChatTemplate template : values()) {
        if (template.templateName.equals(setting)) {
          return template;
        }
      }
      throw new ModelFileException(
          "expected text.template to be %s or one of [%s], found %s"
              .formatted(TextSettings.AUTO, known(), setting));
    }
    if (found == null) {
      throw new ModelFileException(
          ("expected chat_template.jinja, chat_template.json or a chat_template in"
                  + " tokenizer_config.json beside %s, found none: name the template by setting"
                  + " text.template to one of [%s]")
              .formatted(tokenizerFile, known()));
    }
    for (ChatTemplate template : values()) {
      if (template.sha256.equals(found.sha256())
          || template.sha256.equals(found.sha256WithoutFinalNewline())) {
        return template;
      }
    }
    throw new ModelFileException(
        ("expected a known chat template in %s, found one with sha256 %s: templates are not"
                + " evaluated; if it renders like one of [%s], name that in text.template")
            .formatted(found.source(), found.sha256(), known()));
  }

  private static String known() {
    return Arrays.stream(values())
        .map(template -> template.templateName + " (sha256 " + template.sha256 + ")")
        .collect(Collectors.joining(", "));
  }
}
