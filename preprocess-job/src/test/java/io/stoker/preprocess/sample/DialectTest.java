package io.stoker.preprocess.sample;

import static io.stoker.preprocess.sample.Lines.sample;
import static io.stoker.preprocess.sample.Lines.show;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Records as data sets in the field write them. */
class DialectTest {
  @Test
  void officialQwen() {
    Sample sample =
        sample(
            """
            {"image": ["a.jpg", "b.jpg"], "conversations": [
              {"from": "human", "value": "<image>\\n How \\u00a0<image>\\u2007 \\nmany? \\u0085"},
              {"from": "gpt", "value": " Two <image>.\\n"}]}
            """);
    assertEquals("USER <a.jpg> \"How\" <b.jpg> \"many?\"", show(sample, 0));
    assertEquals("ASSISTANT \" Two <image>.\n\"", show(sample, 1));
    assertEquals(List.of("a.jpg", "b.jpg"), sample.images());
  }

  @Test
  void llavaWithTagAtTheEndAndTextOnly() {
    Sample sample =
        sample(
            """
            {"id": 7, "image": "coco/7.jpg", "conversations": [
              {"from": "human", "value": "What is it?\\n<image>"},
              {"from": "gpt", "value": "A bus."}]}
            """);
    assertEquals("7", sample.id());
    assertEquals("USER \"What is it?\" <coco/7.jpg>", show(sample, 0));
    Sample text =
        sample(
            "{\"conversations\":[{\"from\":\"human\",\"value\":\" Hi \"},"
                + "{\"from\":\"gpt\",\"value\":\"x\"}]}");
    assertEquals("USER \"Hi\"", show(text, 0));
    assertEquals("m.jsonl:12", text.id());
  }

  @Test
  void messagesAndImages() {
    Sample sample =
        sample(
            """
            {"system": " Be brief. ", "messages": [
              {"role": "user", "content": "<image> Read <Image> the sign. "},
              {"role": "assistant", "content": "STOP"}], "images": ["s/9.png"]}
            """);
    assertEquals("SYSTEM \" Be brief. \"", show(sample, 0));
    assertEquals("USER <s/9.png> \"Read <Image> the sign.\"", show(sample, 1));
  }

  @Test
  void openAiTypedParts() {
    Sample sample =
        sample(
            """
            {"messages": [{"role": "system", "content": [{"type": "text", "text": "Be "},
                                                         {"type": "text", "text": "brief."}]},
              {"role": "user", "content": [
                {"type": "image_url", "image_url": {"url": "s3://b/p.jpg", "detail": "low"}},
                {"type": "image_url", "image_url": "q.jpg"},
                {"type": "input_image", "image_url": "r.jpg"},
                {"type": "image", "path": "s.jpg", "url": "s.jpg"},
                {"image": "t.jpg"},
                {"type": "image", "base64": "QUJD"},
                {"type": "input_text", "text": " Colour <image>? "}, {"text": "\\n"}]},
              {"role": "assistant", "content": "Red"},
              {"role": "user", "content": " Sure <image>? "},
              {"role": "assistant", "content": [{"type": "output_text", "text": "Yes"}]}]}
            """);
    assertEquals("SYSTEM \"Be \" \"brief.\"", show(sample, 0));
    assertEquals(
        "USER <s3://b/p.jpg> <q.jpg> <r.jpg> <s.jpg> <t.jpg> <data:;base64,QUJD>"
            + " \" Colour <image>? \" \"\n\"",
        show(sample, 1));
    assertEquals("USER \" Sure <image>? \"", show(sample, 3));
    assertEquals("ASSISTANT \"Yes\"", show(sample, 4));
  }

  @Test
  void typedPartsThatPointToAList() {
    Sample sample =
        sample(
            """
            {"messages": [{"role": "user", "content": [{"type": "image"},
                {"type": "text", "text": "x"}, {"type": "image"}]},
              {"role": "assistant", "content": "y"}], "images": [{"bytes": null, "path": "a.png"},
              [["b.png"]]]}
            """);
    assertEquals("USER <a.png> \"x\" <b.png>", show(sample, 0));
  }

  @Test
  void questionAndAnswer() {
    assertEquals(
        "USER <a.jpg> \"Why?\"",
        show(sample("{\"image\":\"a.jpg\",\"question\":\" Why? \",\"answer\":\"So.\"}"), 0));
    assertEquals(
        "USER \"Why\" <a.jpg> \"so?\"",
        show(sample("{\"image\":\"a.jpg\",\"question\":\"Why <image> so?\",\"answer\":\"x\"}"), 0));
    assertEquals("USER \"q\"", show(sample("{\"question\":\"q\",\"answer\":\"a\"}"), 0));
  }

  @ParameterizedTest
  @ValueSource(strings = {"null", "\"\"", "[]", "[null]", "[\"\"]", "[[]]", "{}"})
  void manyWaysToSayNoImage(String image) {
    Sample sample = sample("{\"image\":%s,\"question\":\"q\",\"answer\":\"a\"}".formatted(image));
    assertEquals(List.of(), sample.images());
  }

  @Test
  void imageAndImagesMayAgree() {
    assertEquals(
        List.of("a"),
        sample("{\"image\":\"a\",\"images\":[\"a\"],\"question\":\"q\",\"answer\":\"a\"}")
            .images());
  }

  @ParameterizedTest
  @CsvSource({
    "human, gpt",
    "user, assistant",
    "USER, ASSISTANT",
    "User, bot",
    "human, model",
    "human, chatgpt",
    "human, bing"
  })
  void roleNames(String user, String assistant) {
    for (String names : List.of("role content", "from value")) {
      String[] name = names.split(" ");
      Sample sample =
          sample(
              "{\"messages\":[{\"%1$s\":\"%3$s\",\"%2$s\":\"q\"},{\"%1$s\":\"%4$s\",\"%2$s\":\"a\"}]}"
                  .formatted(name[0], name[1], user, assistant));
      assertEquals("USER \"q\"", show(sample, 0));
      assertEquals("ASSISTANT \"a\"", show(sample, 1));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "'\"x\"', x", "17, 17", "-3, -3",
        "123456789012345678901234567890, 123456789012345678901234567890",
    "0.5, 0.5", "'\"a\\u0000b\"', 'a\u0000b'", "null, m.jsonl:12", "'\"\"', m.jsonl:12"
  })
  void ids(String json, String id) {
    assertEquals(
        id, sample("{\"id\":%s,\"question\":\"q\",\"answer\":\"a\"}".formatted(json)).id());
  }

  @Test
  void systemTurnInConversationsAndTrailingUserTurn() {
    Sample sample =
        sample(
            """
            {"conversations": [{"from": "system", "value": "s"}, {"from": "human", "value": "q"},
              {"from": "gpt", "value": "a"}, {"from": "human", "value": "r"}], "tools": [],
             "extra": {"ignored": true}, "num_tokens": 5, "videos": []}
            """);
    assertEquals("SYSTEM \"s\"", show(sample, 0));
    assertEquals("USER \"r\"", show(sample, 3));
  }
}
