package io.stoker.preprocess.text;

import static io.stoker.preprocess.text.Chats.chat;
import static io.stoker.preprocess.text.Chats.image;
import static io.stoker.preprocess.text.Chats.sample;
import static io.stoker.preprocess.text.Chats.text;
import static io.stoker.preprocess.text.Chats.turn;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeout;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.stoker.format.ShardFormat;
import io.stoker.preprocess.reject.RejectReason;
import io.stoker.preprocess.reject.SampleRejectedException;
import io.stoker.preprocess.sample.Role;
import io.stoker.preprocess.sample.Sample;
import io.stoker.preprocess.sample.Turn;
import io.stoker.preprocess.text.TextSettings.ControlTokenPolicy;
import io.stoker.preprocess.text.TextSettings.LabelMode;
import io.stoker.preprocess.vision.Grid;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TextEncoderTest {
  private static final long IM_END = 151645;

  @Test
  void readsControlIdsFromTheTokenizer() {
    assertEquals(151655, TokenTables.Control.of(Models.file()).imagePad());
  }

  @Test
  void twoImagesAndTwoTurns() throws Exception {
    Sample sample =
        sample(
            turn(Role.SYSTEM, text("You are helpful.")),
            turn(Role.USER, text("Compare"), image(), text("and"), image()),
            turn(Role.ASSISTANT, text("Same.\n")),
            turn(Role.USER, text("Sure?")),
            turn(Role.ASSISTANT, text("Yes")));
    EncodedText encoded = Models.PLAIN.encode(sample, List.of(new Grid(14, 20), new Grid(14, 20)));
    assertEquals(180, encoded.length());
    assertEquals(7, encoded.supervisedTokens());
    assertArrayEquals(
        new long[] {19198, 624, 151645, 198}, Arrays.copyOfRange(encoded.labels(), 163, 167));
    assertArrayEquals(
        new long[] {9454, 151645, 198}, Arrays.copyOfRange(encoded.labels(), 177, 180));
    assertEquals(59, LongStream.of(encoded.positionIds()).max().orElseThrow());
  }

  @Test
  void positionsStartAtZeroInEverySample() throws Exception {
    Sample second = sample(turn(Role.USER, image(), text("What is this?")), answer("A cat."));
    long[] first = Models.PLAIN.encode(chat("Hi", "Hello!"), List.of()).positionIds();
    long[] then = Models.PLAIN.encode(second, List.of(new Grid(14, 20))).positionIds();
    assertEquals(3 * 13, first.length);
    assertEquals(12, first[12]);
    assertEquals(3 * 89, then.length);
    assertEquals(0, then[0]);
    assertEquals(14, then[74]);
    assertEquals(28, then[88]);
  }

  @Test
  void neighbouringTextPartsAreOneStretch() throws Exception {
    Sample split = sample(turn(Role.USER, text("\nhel"), text("lo wor"), text("ld")), answer("x"));
    assertArrayEquals(
        Models.PLAIN.encode(chat("\nhello world", "x"), List.of()).inputIds(),
        Models.PLAIN.encode(split, List.of()).inputIds());
  }

  /** An answer may start with anything: a token that holds the header's newline is not trained. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "\n",
        "\n\nTwo",
        "\r\nx",
        " \n y",
        "\n<think>",
        "<think>\nx",
        " x",
        "\t\n\u3000\n z",
        "\u0301x",
        "\u0338\n",
        "\n\n\n\n\n😀",
        "\u2028a",
        "e\u0301"
      })
  void headerIsNeverTrained(String answer) throws Exception {
    for (TextEncoder encoder : List.of(Models.PLAIN, Models.FINETUNE)) {
      EncodedText encoded = encoder.encode(chat("Hi", answer), List.of());
      // 0-5 are the user's turn, 6-8 start, "assistant" and a token that holds the newline.
      int trained = 0;
      while (encoded.labels()[trained] == ShardFormat.IGNORED_LABEL) {
        trained++;
      }
      assertEquals(9, trained);
      assertEquals(encoded.length() - 9, encoded.supervisedTokens());
      assertArrayEquals(
          Models.Reference.FULL.encode(Chats.rendered(chat("Hi", answer), List.of())),
          encoded.inputIds());
    }
  }

  @Test
  void assistantTextKeepsTokensThatAreNotSpecial() throws Exception {
    long[] ids = Models.PLAIN.encode(chat("<think>", "<think>a</think>"), List.of()).inputIds();
    assertEquals(1, LongStream.of(ids).filter(id -> id == 151667).count());
    assertEquals(1, LongStream.of(ids).filter(id -> id == 151668).count());
  }

  @Test
  void rejectsSpelledControlTokensWhereToldTo() throws Exception {
    try (TextEncoder encoder = Models.open(ControlTokenPolicy.REJECT, LabelMode.STRUCTURE)) {
      for (Sample sample :
          List.of(
              chat("a<|im_end|>", "b"),
              chat("a", "b<|image_pad|>"),
              sample(
                  turn(Role.SYSTEM, text("<|im_start|>")), turn(Role.USER, text("a")), answer("b")),
              sample(turn(Role.USER, text("<|im_"), text("end|>")), answer("b")))) {
        assertEquals(RejectReason.CONTROL_TOKEN_IN_TEXT, rejection(encoder, sample));
      }
      encoder.encode(chat("a <think> <|im_end |>", "<tool_call>"), List.of());
      encoder.encode(
          sample(turn(Role.USER, text("<|im_"), image(), text("end|>")), answer("b")),
          List.of(new Grid(2, 2)));
    }
  }

  @Test
  void takesSpelledControlTokensLiterallyWhereToldTo() throws Exception {
    try (TextEncoder encoder = Models.open(ControlTokenPolicy.LITERAL, LabelMode.STRUCTURE)) {
      Sample sample = chat("a<|im_end|>\n<think>", "b<|vision_start|>");
      assertArrayEquals(
          Models.Reference.FULL.encode(Chats.rendered(sample, List.of())),
          encoder.encode(sample, List.of()).inputIds());
      for (String placeholder : List.of("<|image_pad|>", "<|video_pad|>")) {
        assertEquals(
            RejectReason.CONTROL_TOKEN_IN_TEXT, rejection(encoder, chat(placeholder, "b")));
        assertEquals(
            RejectReason.CONTROL_TOKEN_IN_TEXT, rejection(encoder, chat("a", placeholder)));
      }
    }
  }

  @Test
  void rejectsWhatCannotBeTrainedOrRendered() throws Exception {
    assertEquals(
        RejectReason.NO_SUPERVISED_TOKENS,
        rejection(Models.PLAIN, sample(turn(Role.USER, text("Hi")))));
    assertEquals(
        RejectReason.BAD_TURN_ORDER,
        rejection(
            Models.PLAIN,
            sample(turn(Role.USER, text("Hi")), turn(Role.SYSTEM, text("x")), answer("y"))));
    Sample imageInAnswer = sample(turn(Role.USER, text("Hi")), turn(Role.ASSISTANT, image()));
    SampleRejectedException e =
        assertThrows(
            SampleRejectedException.class,
            () -> Models.PLAIN.encode(imageInAnswer, List.of(new Grid(2, 2))));
    assertEquals(RejectReason.UNSUPPORTED_MEDIA, e.reason());
  }

  @Test
  void asksForOneGridPerImage() {
    Sample sample = sample(turn(Role.USER, image()), answer("x"));
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> Models.PLAIN.encode(sample, List.of()));
    assertEquals(
        "expected one grid for each of the 1 images of m.jsonl:1, found 0", e.getMessage());
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", " ", "\n", "😀", "\u0301", "<|im_end|>"})
  void aMillionCharactersTakeSeconds(String unit) throws Exception {
    String text = unit.repeat(1_000_000 / unit.length());
    EncodedText encoded =
        assertTimeout(
            Duration.ofSeconds(60), () -> Models.PLAIN.encode(chat(text, "x"), List.of()));
    assertTrue(encoded.length() > 512, "not cut");
  }

  @Test
  void aThousandTurns() throws Exception {
    List<Turn> turns = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      turns.add(turn(Role.USER, text("q" + i)));
      turns.add(answer("a" + i));
    }
    Sample sample = sample(turns.toArray(new Turn[0]));
    EncodedText encoded = Models.PLAIN.encode(sample, List.of());
    assertArrayEquals(
        Models.Reference.FULL.encode(Chats.rendered(sample, List.of())), encoded.inputIds());
    assertEquals(1000, LongStream.of(encoded.inputIds()).filter(id -> id == IM_END).count());
  }

  private static Turn answer(String text) {
    return turn(Role.ASSISTANT, text(text));
  }

  private static RejectReason rejection(TextEncoder encoder, Sample sample) {
    return assertThrows(SampleRejectedException.class, () -> encoder.encode(sample, List.of()))
        .reason();
  }
}
