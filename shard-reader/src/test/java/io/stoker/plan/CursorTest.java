package io.stoker.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.stoker.format.ShardFormatException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class CursorTest {
  private static final PlanSettings PLAN = new PlanSettings(-5, 128, 2, Remainder.PAD);
  private static final Cursor CURSOR = Cursor.of("d-1", PLAN, 2, 81_234);

  @Test
  void survivesTheRoundTrip() throws IOException {
    String json = CursorParser.toJson(CURSOR);
    assertEquals(
        "{\"format\":\"stoker-cursor\",\"format-version\":1,\"dataset-id\":\"d-1\",\"seed\":-5,"
            + "\"epoch\":2,\"step\":81234,\"lanes\":64,\"micro-batch\":2,\"remainder\":\"pad\"}",
        json);
    assertEquals(CURSOR, CursorParser.fromJson(json));
    assertEquals(CURSOR, CursorParser.fromJson(json.replace("}", ",\"later\":[{}]}")));
  }

  @Test
  void isAFewHundredBytes() throws IOException {
    Cursor largest =
        new Cursor(
            "f".repeat(64),
            Long.MIN_VALUE,
            Long.MAX_VALUE,
            Long.MAX_VALUE,
            Integer.MAX_VALUE,
            Integer.MAX_VALUE,
            Remainder.DROP);
    String json = CursorParser.toJson(largest);
    assertTrue(json.getBytes(StandardCharsets.UTF_8).length < 320, json);
    assertEquals(largest, CursorParser.fromJson(json));
  }

  @Test
  void problemsAreNamed() {
    String json = CursorParser.toJson(CURSOR);
    assertProblem("cursor: key step is missing", json.replace("step", "stop"));
    assertProblem("cursor: key remainder is missing", json.replace("remainder", "rest"));
    assertProblem(
        "cursor: remainder: expected drop or pad, found 'wrap'", json.replace("pad", "wrap"));
    assertProblem(
        "cursor: /epoch: expected a number that is not negative, found -2",
        json.replace(":2,\"step", ":-2,\"step"));
    assertProblem(
        "cursor: impossible epoch 2, step 81234, lanes 0 or micro batch 2",
        json.replace(":64", ":0"));
    assertProblem("cursor: not valid JSON", json.substring(0, 40));
    assertProblem(
        "cursor: length: expected at most 4096, found " + (4080 + json.length()),
        json.replace("}", " ".repeat(4080) + "}"));
  }

  @Test
  void versionComesBeforeEverythingElse() {
    assertProblem(
        "cursor: format version 2 is too new: this reader knows versions 1 to 1",
        "{\"format\":\"stoker-cursor\",\"format-version\":2,\"epoch\":\"third\"}");
    assertProblem(
        "cursor: format version 0 is too old: this reader knows versions 1 to 1",
        "{\"format\":\"stoker-cursor\",\"format-version\":0}");
    assertProblem(
        "cursor: format: expected stoker-cursor, found stoker-dataset",
        "{\"format\":\"stoker-dataset\",\"format-version\":1}");
    assertProblem("cursor: key format is missing", "{}");
  }

  private static void assertProblem(String message, String json) {
    ShardFormatException e =
        assertThrows(ShardFormatException.class, () -> CursorParser.fromJson(json));
    assertEquals(message, e.getMessage());
  }

  @Test
  void anotherRunIsRefusedByName() {
    assertRefused("dataset: expected d-2, found d-1", "d-2", PLAN);
    assertRefused("seed: expected 6, found -5", "d-1", new PlanSettings(6, 128, 2));
    assertRefused("lanes: expected 32, found 64", "d-1", new PlanSettings(-5, 64, 2));
    assertRefused("micro batch: expected 1, found 2", "d-1", new PlanSettings(-5, 64, 1));
    assertRefused("remainder: expected drop, found pad", "d-1", new PlanSettings(-5, 128, 2));
    CURSOR.checkFits("d-1", PLAN);
  }

  private static void assertRefused(String message, String dataset, PlanSettings settings) {
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> CURSOR.checkFits(dataset, settings));
    assertEquals("the cursor is of another run: " + message, e.getMessage());
  }
}
