package io.stoker.format;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.stoker.fixture.Goldens;
import io.stoker.index.DatasetParser;
import io.stoker.plan.CursorParser;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The limits of section 10 of the specification: what is as large as they allow is read. */
class LimitsTest {
  private static void readDataset(String from, String to) throws IOException {
    String golden = Files.readString(Goldens.ROOT.resolve("v1").resolve(ShardFormat.DATASET_FILE));
    assertTrue(golden.contains(from), from);
    String json = golden.replaceFirst(Pattern.quote(from), Matcher.quoteReplacement(to));
    DatasetParser.fromJson(ShardFormat.DATASET_FILE, json.getBytes(StandardCharsets.UTF_8));
  }

  private static void assertLimit(String from, String largest, String larger) {
    assertDoesNotThrow(() -> readDataset(from, largest));
    ShardFormatException e =
        assertThrows(ShardFormatException.class, () -> readDataset(from, larger));
    assertEquals(ShardFormatException.Kind.CORRUPT, e.kind());
  }

  @Test
  void stringsAndKeys() {
    String key = "\"software-version\" : \"";
    assertLimit(key + "test", key + "é".repeat(65_536), key + "é".repeat(65_537));
    assertLimit(
        "\"tokenizer\"", "\"" + "k".repeat(65_536) + "\"", "\"" + "k".repeat(65_537) + "\"");
  }

  @Test
  void depth() {
    String key = "\"software-version\"";
    assertLimit(
        key,
        "\"later\" : " + "[".repeat(15) + "]".repeat(15) + ", " + key,
        "\"later\" : " + "[".repeat(16) + "]".repeat(16) + ", " + key);
  }

  @Test
  void numbers() {
    assertLimit("[ [ -1.0,", "[ [ -1." + "0".repeat(31) + ",", "[ [ -1." + "0".repeat(32) + ",");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"\"tokenizer\" : \"0123\"", "\"bad_json\" : 2", "\"encoding\" : \"uint8\""})
  void members(String first) {
    String value = first.endsWith("2") ? " : 0" : " : \"\"";
    int own = first.contains("encoding") ? 2 : 1;
    assertLimit(first, first + more(4096 - own, value), first + more(4097 - own, value));
  }

  private static String more(int count, String value) {
    return IntStream.range(0, count)
        .mapToObj(i -> ", \"m" + i + "\"" + value)
        .collect(Collectors.joining());
  }

  @Test
  void objectNames() {
    assertLimit(
        "shards/00/test.arrow", "shards/" + "n".repeat(1024 - 7), "shards/" + "n".repeat(1025 - 7));
  }

  @Test
  void sizesOfObjects() {
    assertLimit("\"bytes\" : 7458", "\"bytes\" : 2147483647", "\"bytes\" : 2147483648");
    assertLimit("\"bytes\" : 2458", "\"bytes\" : 2147483647", "\"bytes\" : 2147483648");
  }

  @Test
  void cursors() throws IOException {
    String cursor =
        "{\"format\":\"stoker-cursor\",\"format-version\":1,\"dataset-id\":\"%s\",\"seed\":0,"
            + "\"epoch\":0,\"step\":0,\"lanes\":2147483647,\"micro-batch\":1,\"remainder\":\"drop\"}";
    int frame = cursor.formatted("").length();
    assertTrue(4096 - frame > 3800, "frame of " + frame);
    CursorParser.fromJson(cursor.formatted("i".repeat(4096 - frame)));
    assertThrows(
        ShardFormatException.class,
        () -> CursorParser.fromJson(cursor.formatted("i".repeat(4097 - frame))));
  }

  private static void readSchema(int entries, String value) throws IOException {
    ArrowSchema schema = ShardSchema.of("d", PixelLayout.UINT8);
    Map<String, String> metadata = new HashMap<>(schema.metadata());
    for (int i = metadata.size(); i < entries; i++) {
      metadata.put("later-" + i, value);
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    new ArrowFileEncoder(out, new ArrowSchema(schema.fields(), new TreeMap<>(metadata))).finish();
    byte[] file = out.toByteArray();
    int head = Math.min(file.length, ArrowFileDecoder.HEAD_BYTES);
    ArrowFileDecoder.schema("s", ByteBuffer.wrap(file, 0, head)).checkIs("s", schema);
  }

  @Test
  void entriesOfMetadata() throws IOException {
    readSchema(64, "");
    assertThrows(ShardFormatException.class, () -> readSchema(65, ""));
  }

  @Test
  void headOfAFile() throws IOException {
    assertEquals(65_536, ArrowFileDecoder.HEAD_BYTES);
    readSchema(6, "v".repeat(64_000));
    assertThrows(ShardFormatException.class, () -> readSchema(6, "v".repeat(65_536)));
  }
}
