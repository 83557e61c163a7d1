package io.stoker.preprocess.sample;

import static io.stoker.preprocess.sample.Lines.rejection;
import static io.stoker.preprocess.sample.Lines.rejectionAtEnd;
import static io.stoker.preprocess.sample.Lines.sample;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.stoker.preprocess.reject.RejectReason;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Lines that are damaged as JSON or as UTF-8. */
class ManifestJsonTest {
  private static final String GOOD =
      "{\"id\":\"ü\",\"x\":true,\"y\":-1.5e3,\"z\":null,\"question\":\"q\",\"answer\":\"a\"}";

  /** A good record with a foreign member. */
  private static String with(String member) {
    return "{\"question\":\"q\",\"answer\":\"a\"," + member + "}";
  }

  static Stream<Arguments> damaged() {
    return Stream.of(
        arguments("empty", "", RejectReason.BAD_JSON),
        arguments("blank", " \t\r", RejectReason.BAD_JSON),
        arguments("text", "Not found", RejectReason.BAD_JSON),
        arguments("HTML", "<html></html>", RejectReason.BAD_JSON),
        arguments("array", "[" + GOOD + "]", RejectReason.BAD_JSON),
        arguments("string", "\"x\"", RejectReason.BAD_JSON),
        arguments("number", "17", RejectReason.BAD_JSON),
        arguments("two objects", GOOD + " " + GOOD, RejectReason.BAD_JSON),
        arguments("trailing brace", GOOD + "}", RejectReason.BAD_JSON),
        arguments("trailing word", GOOD + " tru", RejectReason.BAD_JSON),
        arguments("trailing comma", with(""), RejectReason.BAD_JSON),
        arguments("single quotes", "{'question':'q'}", RejectReason.BAD_JSON),
        arguments("comment", with("/* */\"x\":1"), RejectReason.BAD_JSON),
        arguments("NaN", with("\"x\":NaN"), RejectReason.BAD_JSON),
        arguments("Infinity", with("\"x\":-Infinity"), RejectReason.BAD_JSON),
        arguments("1e999", with("\"x\":[{\"y\":1e999}]"), RejectReason.BAD_JSON),
        arguments("10,000 digits", with("\"x\":" + "9".repeat(10_000)), RejectReason.BAD_JSON),
        arguments("duplicate key", with("\"answer\":\"b\""), RejectReason.BAD_JSON),
        arguments("duplicate inside", with("\"x\":{\"y\":1,\"y\":1}"), RejectReason.BAD_JSON),
        arguments("raw NUL", with("\"x\":\"\u0000\""), RejectReason.BAD_JSON),
        arguments("raw tab", with("\"x\":\"\t\""), RejectReason.BAD_JSON),
        arguments("bad escape", with("\"x\":\"\\q\""), RejectReason.BAD_JSON),
        arguments(
            "deep",
            with("\"x\":" + "[".repeat(10_000) + "]".repeat(10_000)),
            RejectReason.BAD_JSON),
        arguments("deep and cut", "{\"x\":" + "[".repeat(10_000), RejectReason.BAD_JSON),
        arguments("pretty-printed head", "{", RejectReason.BAD_JSON),
        arguments("lone high surrogate", with("\"id\":\"\\ud83d\""), RejectReason.BAD_TEXT),
        arguments("lone low surrogate", with("\"id\":\"\\ude00x\""), RejectReason.BAD_TEXT),
        arguments("swapped surrogates", with("\"id\":\"\\ude00\\ud83d\""), RejectReason.BAD_TEXT));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("damaged")
  void rejectsDamagedLines(String name, String line, RejectReason reason) {
    Rejection rejection = rejection(line);
    assertEquals(reason, rejection.reason(), rejection.detail());
    assertFalse(rejection.detail().chars().anyMatch(Character::isISOControl), "one line");
    assertEquals(12, rejection.line().provenance().line());
  }

  @ParameterizedTest
  @CsvSource({"c328, 12", "c0af, 12", "eda080, 12", "f4908080, 12", "80, 12", "ff, 12"})
  void rejectsInvalidUtf8(String hex, int offset) {
    byte[] bad = HexFormat.of().parseHex(hex);
    byte[] head = "{\"question\":".substring(0, 11).getBytes(StandardCharsets.UTF_8);
    byte[] line = Arrays.copyOf(head, head.length + 1 + bad.length + 2);
    line[head.length] = '"';
    System.arraycopy(bad, 0, line, head.length + 1, bad.length);
    line[line.length - 2] = '"';
    line[line.length - 1] = '}';
    Rejection rejection = rejection(line);
    assertEquals(RejectReason.BAD_JSON, rejection.reason());
    assertEquals(
        "expected UTF-8, found an invalid sequence at byte %d of the line".formatted(offset),
        rejection.detail());
  }

  /** A record may be cut anywhere, also inside a character, a literal or a number. */
  @Test
  void knowsATruncatedRecord() {
    byte[] whole = GOOD.getBytes(StandardCharsets.UTF_8);
    for (int end = 1; end < whole.length; end++) {
      Rejection rejection = rejectionAtEnd(Arrays.copyOf(whole, end));
      assertEquals(
          RejectReason.JSON_TRUNCATED, rejection.reason(), end + ": " + rejection.detail());
      assertEquals(RejectReason.BAD_JSON, rejection(Arrays.copyOf(whole, end)).reason());
    }
    assertEquals("ü", sample(GOOD).id());
  }

  @Test
  void dropsAByteOrderMark() {
    assertEquals("ü", sample("\ufeff" + GOOD).id());
    assertEquals(RejectReason.BAD_JSON, rejection("\ufeff\ufeff" + GOOD).reason());
  }

  @Test
  void keepsUnusualCharacters() {
    String text = "a\\u0000b\\ud83d\\ude00\u2028\u0085\ufeff\uffffc";
    Sample sample = sample("{\"question\":\"" + text + "\",\"answer\":\"a\"}\r");
    assertEquals("USER \"a\u0000b😀\u2028\u0085\ufeff\uffffc\"", Lines.show(sample, 0));
  }

  @ParameterizedTest
  @CsvSource({"0, true", "1, true", "2, false", "100000, false"})
  void limitsTheLine(int extra, boolean accepted) {
    String line = "{\"question\":\"q\",\"answer\":\"%s\"}".formatted("x".repeat(100));
    SampleParser parser =
        new SampleParser(
            new SampleSettings(
                line.length() + 1, 8, 1 << 20, SampleSettings.DEFAULT_ROLES, false, false, false));
    ParsedLine parsed = parser.parse(Lines.line(line + " ".repeat(extra)));
    if (accepted) {
      assertInstanceOf(Sample.class, parsed);
    } else {
      assertEquals(RejectReason.LINE_TOO_LONG, assertInstanceOf(Rejection.class, parsed).reason());
    }
  }

  @Test
  void limitsTheText() {
    SampleParser parser =
        new SampleParser(
            new SampleSettings(1 << 20, 8, 4, SampleSettings.DEFAULT_ROLES, false, false, false));
    assertInstanceOf(
        Sample.class, parser.parse(Lines.line("{\"question\":\"qq\",\"answer\":\"aa\"}")));
    Rejection rejection =
        assertInstanceOf(
            Rejection.class, parser.parse(Lines.line("{\"question\":\"qq\",\"answer\":\"aaa\"}")));
    assertEquals(RejectReason.TEXT_TOO_LONG, rejection.reason());
    assertEquals("expected at most 4 characters, found 5", rejection.detail());
  }

  @Test
  void settingsAreChecked() {
    assertEquals(
        "expected role names in lower case, found User",
        org.junit.jupiter.api.Assertions.assertThrows(
                IllegalArgumentException.class,
                () -> new SampleSettings(10, 4, 1, Map.of("User", Role.USER), false, false, false))
            .getMessage());
  }
}
