package io.stoker.preprocess.task;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.stoker.preprocess.commit.StagedPartition;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rows as real ShareGPT exports have them: rejected, unless a key lets them in. */
class TurnKeysTest {
  private static final String ROW = "{\"conversations\": [%s]}\n";
  private static final String HUMAN = "{\"from\": \"human\", \"value\": \"%s\"}";
  private static final String GPT = "{\"from\": \"gpt\", \"value\": \"%s\"}";

  private final Path directory;

  TurnKeysTest(@TempDir Path directory) {
    this.directory = directory;
  }

  private static String row(String... turns) {
    return ROW.formatted(String.join(", ", turns));
  }

  private static String human(String text) {
    return HUMAN.formatted(text);
  }

  private static String gpt(String text) {
    return GPT.formatted(text);
  }

  private static String row(String kind) {
    return switch (kind) {
      case "consecutive" -> row(human("Hello."), human("Who are you?"), gpt("A"), gpt("model."));
      case "leading" -> row(gpt("I am a model."), human("Who are you?"), gpt("A model."));
      default -> row(human("Say nothing."), gpt(""));
    };
  }

  private StagedPartition run(String row, Map<String, String> settings) throws Exception {
    Path manifest = directory.resolve("rows.jsonl");
    Files.writeString(manifest, row);
    Path output = Files.createTempDirectory(directory, "out");
    return ExampleJob.of(output, List.of(manifest), settings).run(new CountingProgress());
  }

  @ParameterizedTest
  @CsvSource({
    "consecutive, turns.merge-consecutive, bad_turn_order",
    "leading, turns.drop-leading-answer, bad_turn_order",
    "empty, turns.keep-empty-answers, empty_turn"
  })
  void oneKeyLetsARowInThatIsRejectedOtherwise(String kind, String key, String reason)
      throws Exception {
    assertEquals(Map.of(reason, 1L), run(row(kind), Map.of()).counts().rejects());
    StagedPartition kept = run(row(kind), Map.of(key, "true"));
    assertEquals(Map.of(), kept.counts().rejects());
    assertEquals(1, kept.counts().samples());
  }

  /** What is left has the tokens of the row that somebody would have written by hand. */
  @Test
  void theSampleIsThatOfTheCleanRow() throws Exception {
    assertSameTokens(
        row(human("Hello.\\nWho are you?"), gpt("A\\nmodel.")),
        row("consecutive"),
        "turns.merge-consecutive");
    assertSameTokens(
        row(human("Who are you?"), gpt("A model.")), row("leading"), "turns.drop-leading-answer");
  }

  private void assertSameTokens(String clean, String row, String key) throws Exception {
    StagedPartition expected = run(clean, Map.of());
    StagedPartition found = run(row, Map.of(key, "true"));
    assertEquals(1, expected.counts().samples());
    assertEquals(expected.counts().tokens(), found.counts().tokens());
    assertEquals(expected.counts().supervisedTokens(), found.counts().supervisedTokens());
  }

  /** The end of the turn is all that an empty answer trains: its marker and the line's end. */
  @Test
  void anEmptyAnswerTrainsItsEnd() throws Exception {
    long empty =
        run(row("empty"), Map.of("turns.keep-empty-answers", "true")).counts().supervisedTokens();
    long word = run(row(human("Say nothing."), gpt("A")), Map.of()).counts().supervisedTokens();
    assertEquals(word - 1, empty);
  }
}
