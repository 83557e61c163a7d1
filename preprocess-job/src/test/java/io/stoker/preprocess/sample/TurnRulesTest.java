package io.stoker.preprocess.sample;

import static io.stoker.preprocess.sample.Lines.line;
import static io.stoker.preprocess.sample.Lines.sample;
import static io.stoker.preprocess.sample.Lines.show;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.stoker.preprocess.reject.RejectReason;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The three repairs that exports of ShareGPT need, each alone and together. */
class TurnRulesTest {
  private static final SampleParser MERGE = parser(true, false, false);
  private static final SampleParser DROP = parser(false, true, false);
  private static final SampleParser KEEP = parser(false, false, true);
  private static final SampleParser ALL = parser(true, true, true);

  private static final String SYSTEM = turn("system", "s");

  @Test
  void turnsOfOneRoleAreJoinedByANewline() {
    String record =
        record(SYSTEM, user("q"), user("r"), user("t"), answer(" a "), answer("b"), user("u"));
    assertRejected(RejectReason.BAD_TURN_ORDER, DROP, record);
    assertRejected(RejectReason.BAD_TURN_ORDER, KEEP, record);
    Sample sample = sample(MERGE, record);
    assertEquals(
        List.of(
            "SYSTEM \"s\"",
            "USER \"q\" \"\n\" \"r\" \"\n\" \"t\"",
            "ASSISTANT \" a \" \"\n\" \"b\"",
            "USER \"u\""),
        shown(sample));
  }

  @Test
  void imagesOfJoinedTurnsKeepTheirOrder() {
    String images = "\"images\":[\"a\",\"b\",\"c\"],";
    String turns = record(user("<image>"), user("q <image>"), user("<image> r"), answer("x"));
    Sample sample = sample(MERGE, turns.replaceFirst("\\{", "{" + images));
    assertEquals("USER <a> \"\n\" \"q\" <b> \"\n\" <c> \"r\"", show(sample, 0));
    assertEquals(List.of("a", "b", "c"), sample.images());
  }

  @Test
  void typedPartsOfJoinedTurnsKeepTheirImages() {
    Sample sample =
        sample(
            MERGE,
            """
            {"images": ["a"], "messages": [
              {"role": "user", "content": [{"type": "image"}]},
              {"role": "user", "content": [{"type": "text", "text": "q"},
                                           {"type": "image", "path": "b"}]},
              {"role": "assistant", "content": "x"}]}
            """);
    assertEquals("USER <a> \"\n\" \"q\" <b>", show(sample, 0));
  }

  @Test
  void systemTurnsAreNeverJoined() {
    assertRejected(
        RejectReason.BAD_TURN_ORDER, ALL, record(SYSTEM, SYSTEM, user("q"), answer("a")));
    assertRejected(
        RejectReason.BAD_TURN_ORDER, ALL, record(user("q"), SYSTEM, user("r"), answer("a")));
  }

  @Test
  void answersBeforeTheFirstQuestionAreDropped() {
    String record = record(SYSTEM, answer("Hello"), answer(""), user("q"), answer("a"));
    assertRejected(RejectReason.BAD_TURN_ORDER, MERGE, record);
    assertRejected(RejectReason.BAD_TURN_ORDER, KEEP, record);
    List<String> kept = List.of("SYSTEM \"s\"", "USER \"q\"", "ASSISTANT \"a\"");
    assertEquals(kept, shown(sample(DROP, record)));
    assertEquals(kept, shown(sample(ALL, record)));
  }

  @Test
  void aDroppedAnswerIsNothingToLearnFrom() {
    assertRejected(RejectReason.NO_SUPERVISED_TOKENS, DROP, record(answer("a"), user("q")));
    assertRejected(RejectReason.NO_SUPERVISED_TOKENS, DROP, record(answer("a")));
  }

  /** The turn stands second in the record, and its author may have meant it for the first. */
  @Test
  void aSystemTurnBehindADroppedAnswerIsRefused() {
    assertRejected(
        RejectReason.BAD_TURN_ORDER, DROP, record(answer("a"), SYSTEM, user("q"), answer("b")));
  }

  @Test
  void emptyAnswersAreKeptAsTheyAre() {
    for (String empty : List.of("", " \\n", "\\u3000")) {
      String record = record(user("q"), answer(empty), user("r"), answer("a"));
      assertRejected(RejectReason.EMPTY_TURN, MERGE, record);
      assertRejected(RejectReason.EMPTY_TURN, DROP, record);
      assertEquals(4, sample(KEEP, record).turns().size());
    }
    assertEquals("ASSISTANT \" \n\"", show(sample(KEEP, record(user("q"), answer(" \\n"))), 1));
    Sample absent = sample(KEEP, record(user("q"), "{\"from\":\"gpt\",\"value\":null}"));
    assertEquals("ASSISTANT", show(absent, 1));
  }

  @Test
  void emptyQuestionsAreNeverKept() {
    assertRejected(RejectReason.EMPTY_TURN, ALL, record(user(""), answer("a")));
    assertRejected(RejectReason.EMPTY_TURN, ALL, record(user("q"), user(" "), answer("a")));
    assertRejected(
        RejectReason.EMPTY_TURN, ALL, record(turn("system", ""), user("q"), answer("a")));
  }

  @Test
  void anEmptyAnswerAddsNothingToItsNeighbour() {
    String record = record(user("q"), answer(""), answer("a"), answer(" "), answer("b"));
    assertRejected(RejectReason.EMPTY_TURN, MERGE, record);
    assertRejected(RejectReason.BAD_TURN_ORDER, KEEP, record);
    assertEquals("ASSISTANT \"a\" \"\n\" \"b\"", show(sample(ALL, record), 1));
    assertEquals("ASSISTANT \"\"", show(sample(ALL, record(user("q"), answer(""), answer(""))), 1));
  }

  private static SampleParser parser(boolean merge, boolean drop, boolean keep) {
    return new SampleParser(
        new SampleSettings(1 << 20, 16, 1 << 20, SampleSettings.DEFAULT_ROLES, merge, drop, keep));
  }

  private static List<String> shown(Sample sample) {
    return IntStream.range(0, sample.turns().size()).mapToObj(i -> show(sample, i)).toList();
  }

  private static void assertRejected(RejectReason reason, SampleParser parser, String record) {
    Rejection rejection = assertInstanceOf(Rejection.class, parser.parse(line(record)));
    assertEquals(reason, rejection.reason(), rejection.detail());
  }

  private static String record(String... turns) {
    return "{\"conversations\":[" + String.join(",", turns) + "]}";
  }

  private static String user(String text) {
    return turn("human", text);
  }

  private static String answer(String text) {
    return turn("gpt", text);
  }

  private static String turn(String role, String text) {
    return "{\"from\":\"%s\",\"value\":\"%s\"}".formatted(role, text);
  }
}
