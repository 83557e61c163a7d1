package io.stoker.preprocess.text;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.fasterxml.jackson.databind.JsonNode;
import io.stoker.format.ShardFormat;
import io.stoker.preprocess.sample.Sample;
import io.stoker.preprocess.vision.Grid;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Values recorded from the reference processor and the official fine-tuning code. */
class OracleTest {
  /** The one recorded case in which the official label scan trains on user text. */
  private static final String QUIRK = "assistant word in user text";

  private final JsonNode oracle = Models.resource("oracle.json");

  @TestFactory
  Stream<DynamicTest> tokenizes() {
    return oracle.path("tokenize").properties().stream()
        .map(
            entry ->
                dynamicTest(
                    "\"" + entry.getKey() + "\"",
                    () ->
                        assertArrayEquals(
                            longs(entry.getValue()),
                            Models.Reference.FULL.encode(entry.getKey()))));
  }

  @TestFactory
  Stream<DynamicTest> encodesChatsWithFinetuneLabels() {
    return chats().stream()
        .map(
            chat ->
                dynamicTest(
                    chat.path("name").asText(), () -> assertChat(Models.FINETUNE, chat, true)));
  }

  @TestFactory
  Stream<DynamicTest> encodesChatsWithStructureLabels() {
    return chats().stream()
        .map(
            chat ->
                dynamicTest(
                    chat.path("name").asText(),
                    () ->
                        assertChat(Models.PLAIN, chat, !chat.path("name").asText().equals(QUIRK))));
  }

  private List<JsonNode> chats() {
    List<JsonNode> chats = new ArrayList<>();
    oracle.path("chat").forEach(chats::add);
    assertEquals(6, chats.size());
    return chats;
  }

  private static void assertChat(TextEncoder encoder, JsonNode chat, boolean sameLabels)
      throws Exception {
    Sample sample = Chats.parse(chat.path("rendered").asText());
    List<Grid> grids = grids(chat);
    EncodedText encoded = encoder.encode(sample, grids);
    assertArrayEquals(longs(chat.path("input_ids")), encoded.inputIds());
    long[] positions =
        LongStream.concat(
                LongStream.concat(
                    LongStream.of(longs(chat.path("position_ids").path(0))),
                    LongStream.of(longs(chat.path("position_ids").path(1)))),
                LongStream.of(longs(chat.path("position_ids").path(2))))
            .toArray();
    assertArrayEquals(positions, encoded.positionIds());
    long[] labels = longs(chat.path("labels"));
    if (sameLabels) {
      assertArrayEquals(labels, encoded.labels());
    } else {
      // Only the answer is trained, not what follows "assistant" in the user's turn.
      long[] strict = labels.clone();
      strict[5] = strict[6] = strict[7] = ShardFormat.IGNORED_LABEL;
      assertArrayEquals(strict, encoded.labels());
    }
    assertEquals(
        LongStream.of(encoded.labels()).filter(label -> label != -100).count(),
        encoded.supervisedTokens());
  }

  static List<Grid> grids(JsonNode entry) {
    List<Grid> grids = new ArrayList<>();
    for (JsonNode grid : entry.path("image_grid_thw")) {
      grids.add(new Grid(grid.path(1).asInt(), grid.path(2).asInt()));
    }
    return grids;
  }

  private static long[] longs(JsonNode array) {
    long[] values = new long[array.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = array.path(i).asLong();
    }
    return values;
  }
}
