package io.stoker.preprocess.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.stoker.preprocess.sample.Role;
import io.stoker.preprocess.text.TextSettings.ControlTokenPolicy;
import io.stoker.preprocess.text.TextSettings.LabelMode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;

/** The example model, loaded once for all tests. */
final class Models {
  static final Path EXAMPLES = Path.of("..", "examples");
  static final ModelDirectory QWEN = read(EXAMPLES.resolve("model"));
  static final TextEncoder PLAIN = open(ControlTokenPolicy.PLAIN, LabelMode.STRUCTURE);
  static final TextEncoder FINETUNE = open(ControlTokenPolicy.PLAIN, LabelMode.FINETUNE);

  private Models() {}

  static TextEncoder open(ControlTokenPolicy policy, LabelMode labels) {
    return new TextEncoder(QWEN, new TextSettings("qwen3-vl-instruct", policy, labels));
  }

  static TokenizerFile file() {
    return new TokenizerFile(QWEN.tokenizerFile(), QWEN.tokenizerJson());
  }

  /** The reference: the file as it is, all added tokens matching. */
  static final class Reference {
    static final NativeTokenizer FULL =
        Tokenizers.open(QWEN.tokenizerFile(), file(), ControlTokenPolicy.LITERAL).of(Role.USER);

    private Reference() {}
  }

  static JsonNode resource(String name) {
    try (InputStream in = Models.class.getResourceAsStream("/text/" + name)) {
      return new ObjectMapper().readTree(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static ModelDirectory read(Path directory) {
    try {
      return ModelDirectory.load(directory.toString(), new Configuration(false));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
