package io.stoker.index;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.stoker.fixture.TestDataset;
import io.stoker.format.PixelLayout;
import io.stoker.format.ShardFormatException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DatasetParserTest {
  private static final Dataset DATASET =
      Dataset.of(
          "d-1",
          "0.1.0",
          DatasetCounts.of(5, 3, 100, 40, 16, Map.of("bad_json", 2L, "too_long", 1L)),
          PixelLayout.of("bfloat16", "duplicated"),
          TestDataset.valueTable(),
          Map.of("tokenizer", "ab", "configuration", "cd"),
          Map.of("pack.max-tokens", "4096"),
          new BlockTableFile("blocks.arrow", 2000, 0xFFFFFFFFL),
          List.of(
              new ShardEntry("shards/00/a.arrow", 5000, 7, 2),
              new ShardEntry("shards/01/b.arrow", 6000, 0x80000000L, 1)));

  private static String json() {
    return new String(DatasetParser.toJson(DATASET), StandardCharsets.UTF_8);
  }

  private static Dataset parse(String json) throws ShardFormatException {
    return DatasetParser.fromJson("dataset.json", json.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void survivesTheRoundTrip() throws IOException {
    byte[] json = DatasetParser.toJson(DATASET);
    Dataset back = DatasetParser.fromJson("dataset.json", json);
    assertEquals(DATASET, back);
    assertArrayEquals(json, DatasetParser.toJson(back));
    assertEquals(3, back.blocks());
    assertEquals(1.0f, back.valueTable().value(2, 255));
  }

  @Test
  void unknownKeysAreIgnored() throws IOException {
    String json = json().replace("\"counts\"", "\"new\" : [{\"a\" : {}}], \"counts\"");
    assertEquals(DATASET, parse(json.replace("\"bytes\"", "\"extra\" : null, \"bytes\"")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "stoker-dataset|other|CORRUPT|format: expected stoker-dataset, found other",
        "\"format-version\" : 1|\"format-version\" : 0|TOO_OLD|format version 0 is too old: this"
            + " reader knows versions 1 to 1",
        "\"format-version\" : 1|\"format-version\" : 2|TOO_NEW|format version 2 is too new: this"
            + " reader knows versions 1 to 1",
        "\"format-version\" : 1|\"format-version\" : \"1\"|CORRUPT|/format-version: expected an"
            + " integer, found 1",
        "\"packs\" : 3|\"packs\" : -3|CORRUPT|/counts/packs: expected a number that is not"
            + " negative, found -3",
        "\"packs\" : 3|\"no\" : 3|CORRUPT|key packs is missing",
        "bfloat16|int64|CORRUPT|pixel encoding: expected uint8, bfloat16 or float32, found int64",
        "-1.0|0.5, -1.0|CORRUPT|/value-table/0/256: expected at most 256 elements, found more",
        "shards/00/a|shards/../a|CORRUPT|object name: expected a relative path, found"
            + " 'shards/../a.arrow'",
        "shards/00/a|/shards/00/a|CORRUPT|object name: expected a relative path, found"
            + " '/shards/00/a.arrow'",
        "ffffffff|xyz|CORRUPT|crc32c: expected 8 hex digits, found xyz",
        "\"dataset-id\" : \"d-1\"|\"dataset-id\" : {}|CORRUPT|/dataset-id: expected a string, found"
            + " {",
        "\"software-version\"|\"dataset-id\"|CORRUPT|not valid JSON"
      })
  void problemsAreNamed(String from, String to, ShardFormatException.Kind kind, String message) {
    String json = json();
    String broken = json.replaceFirst(Pattern.quote(from), to);
    ShardFormatException e = assertThrows(ShardFormatException.class, () -> parse(broken));
    assertEquals("dataset.json: " + message, e.getMessage());
    assertEquals(kind, e.kind());
  }

  /** Each of its digits would otherwise be a wrong colour in every sample. */
  @Test
  void everyEditedDigitOfTheValueTableIsFound() {
    String json = json();
    int start = json.indexOf("\"value-table\"");
    int end = json.indexOf("\"value-table-crc32c\"");
    int edits = 0;
    for (int at = start; at < end; at++) {
      // The first digits behind the point: the last ones may round to the same value.
      if (json.charAt(at - 1) == '.' && Character.isDigit(json.charAt(at))) {
        char digit = json.charAt(at) == '9' ? '0' : (char) (json.charAt(at) + 1);
        String edited = json.substring(0, at) + digit + json.substring(at + 1);
        ShardFormatException e = assertThrows(ShardFormatException.class, () -> parse(edited));
        assertTrue(
            String.valueOf(e.getMessage())
                .startsWith("dataset.json: value-table-crc32c: expected "),
            e.getMessage());
        edits++;
      }
    }
    assertEquals(ValueTable.CHANNELS * ValueTable.VALUES, edits);
  }

  /** A document of another version may have another shape. The user must hear of the version. */
  @Test
  void versionWinsOverShape() {
    ShardFormatException e =
        assertThrows(
            ShardFormatException.class,
            () -> parse("{\"counts\": 7, \"format-version\": 9, \"format\": \"stoker-dataset\"}"));
    assertEquals(ShardFormatException.Kind.TOO_NEW, e.kind());
  }

  @Test
  void editsGiveTypedErrorsOnly() {
    byte[] json = DatasetParser.toJson(DATASET);
    Random random = new Random(1);
    int refused = 0;
    for (int i = 0; i < 5_000; i++) {
      byte[] edited = json.clone();
      edited[random.nextInt(edited.length)] = (byte) random.nextInt(128);
      try {
        DatasetParser.fromJson("dataset.json", edited);
      } catch (ShardFormatException e) {
        refused++;
      }
    }
    assertTrue(refused > 500, "only " + refused + " refused");
    assertThrows(ShardFormatException.class, () -> parse(""));
    assertThrows(ShardFormatException.class, () -> parse("[".repeat(100_000)));
    assertThrows(ShardFormatException.class, () -> parse("{\"a\":".repeat(100_000)));
    assertThrows(ShardFormatException.class, () -> parse(json() + "{}"));
  }
}
