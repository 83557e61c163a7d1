package io.stoker.preprocess.text;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.stoker.preprocess.sample.Role;
import io.stoker.preprocess.sample.Sample;
import io.stoker.preprocess.text.TextSettings.ControlTokenPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * The tokenizers against ids that the Python package {@code tokenizers} made from the same file
 * (its version stands in the golden), so that nothing on the way from Java to the native code and
 * back goes unnoticed.
 */
class TokenizersTest {
  @Test
  void everyKindOfTextHasTheIdsOfThePythonPackage() {
    JsonNode golden = Models.resource("tokenizers-golden.json").path("cases");
    assertEquals(25, golden.size());
    try (Tokenizers plain =
        Tokenizers.open(Models.QWEN.tokenizerFile(), Models.file(), ControlTokenPolicy.PLAIN)) {
      for (JsonNode entry : golden) {
        String text = entry.path("text").textValue();
        assertIds(entry.path("prompt"), plain.of(Role.USER).encode(text), text);
        assertIds(entry.path("prompt"), plain.of(Role.SYSTEM).encode(text), text);
        assertIds(entry.path("answer"), plain.of(Role.ASSISTANT).encode(text), text);
        assertIds(entry.path("literal"), Models.Reference.FULL.encode(text), text);
      }
    }
  }

  @Test
  void threadsMayShareAnEncoder() throws Exception {
    List<Sample> samples = new ArrayList<>();
    List<EncodedText> alone = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      samples.add(Chats.chat("Question %d 你好".formatted(i).repeat(i + 1), "\n".repeat(i % 3) + i));
      alone.add(Models.PLAIN.encode(samples.get(i), List.of()));
    }
    Callable<List<EncodedText>> task =
        () -> {
          List<EncodedText> encoded = new ArrayList<>();
          for (Sample sample : samples) {
            encoded.add(Models.PLAIN.encode(sample, List.of()));
          }
          return encoded;
        };
    ExecutorService pool = Executors.newFixedThreadPool(4);
    try {
      for (Future<List<EncodedText>> future : pool.invokeAll(List.of(task, task, task, task))) {
        for (int i = 0; i < alone.size(); i++) {
          assertArrayEquals(alone.get(i).inputIds(), future.get().get(i).inputIds());
          assertArrayEquals(alone.get(i).labels(), future.get().get(i).labels());
        }
      }
    } finally {
      pool.shutdownNow();
    }
  }

  /** The file's own settings would cut the text at a made-up limit. */
  @Test
  void truncationAndPaddingOfTheFileAreOff() throws Exception {
    JsonNode rewritten =
        new ObjectMapper().readTree(Models.file().withAddedTokens(token -> !token.special()));
    assertEquals(12, rewritten.path("added_tokens").size());
    assertEquals(151643 + 12, rewritten.path("model").path("vocab").size());
    assertNotNull(rewritten.get("truncation"));
    assertEquals(true, rewritten.get("truncation").isNull() && rewritten.get("padding").isNull());
  }

  @Test
  void aFileTheLibraryRefusesIsNamed() {
    ModelFileException e =
        assertThrows(
            ModelFileException.class,
            () -> new NativeTokenizer("m/tokenizer.json", new byte[] {'{', '}'}));
    assertEquals("the tokenizer library refuses m/tokenizer.json", e.getMessage());
  }

  @Test
  void closedEncodersSaySo() {
    NativeTokenizer tokenizer =
        new NativeTokenizer(
            Models.QWEN.tokenizerFile(), Models.file().withAddedTokens(token -> false));
    tokenizer.close();
    assertThrows(IllegalStateException.class, () -> tokenizer.encode("x"));
  }

  private static void assertIds(JsonNode expected, long[] found, String text) {
    LongStream.Builder ids = LongStream.builder();
    expected.forEach(id -> ids.add(id.asLong()));
    assertArrayEquals(ids.build().toArray(), found, text);
  }
}
