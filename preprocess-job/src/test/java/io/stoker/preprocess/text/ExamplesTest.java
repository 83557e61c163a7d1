package io.stoker.preprocess.text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import com.fasterxml.jackson.databind.JsonNode;
import io.stoker.preprocess.manifest.ManifestLine;
import io.stoker.preprocess.manifest.Provenance;
import io.stoker.preprocess.manifest.Sha256;
import io.stoker.preprocess.reject.RejectReason;
import io.stoker.preprocess.sample.ParsedLine;
import io.stoker.preprocess.sample.Rejection;
import io.stoker.preprocess.sample.Sample;
import io.stoker.preprocess.sample.SampleParser;
import io.stoker.preprocess.sample.SampleSettings;
import io.stoker.preprocess.text.TextSettings.LabelMode;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every line of the example manifests against what the reference makes of it. */
class ExamplesTest {
  private static final Map<String, Integer> MANIFESTS =
      Map.of("vqa.jsonl", 19, "chat.jsonl", 6, "sharegpt.jsonl", 5);

  private final JsonNode oracle = Models.resource("examples-oracle.json").path("samples");

  @ParameterizedTest
  @EnumSource
  void everyGoodLineIsEncodedAsTheReferenceDoes(LabelMode labels) throws Exception {
    TreeSet<String> seen = new TreeSet<>();
    TextEncoder encoder = labels == LabelMode.FINETUNE ? Models.FINETUNE : Models.PLAIN;
    for (ParsedLine line : parseAll()) {
      if (!(line instanceof Sample sample) || oracle.path(sample.id()).has("reject")) {
        continue;
      }
      JsonNode expected = oracle.path(sample.id());
      EncodedText encoded = encoder.encode(sample, OracleTest.grids(expected));
      assertEquals(expected.path("tokens").asInt(), encoded.length(), sample.id());
      assertEquals(
          expected.path("supervised_tokens").asInt(), encoded.supervisedTokens(), sample.id());
      assertHash(expected, "input_ids_sha256_i64le", encoded.inputIds(), sample.id());
      assertHash(expected, "labels_sha256_i64le", encoded.labels(), sample.id());
      assertHash(expected, "position_ids_sha256_i64le", encoded.positionIds(), sample.id());
      seen.add(sample.id());
    }
    assertEquals(oracle.size() - 3, seen.size(), () -> "all but the three bad ones: " + seen);
  }

  @Test
  void theBadLinesAreRejectedOrLeftToTheFetchStage() throws Exception {
    List<ParsedLine> lines = parseAll();
    List<Rejection> rejections =
        lines.stream().filter(Rejection.class::isInstance).map(Rejection.class::cast).toList();
    // The third bad line names an image that does not exist; it parses.
    assertEquals(
        List.of(RejectReason.MEDIA_COUNT_MISMATCH, RejectReason.BAD_JSON),
        rejections.stream().map(Rejection::reason).toList());
    assertEquals(
        "expected as many tags as media, found 2 tags and 1 media", rejections.get(0).detail());
    Sample missing = assertInstanceOf(Sample.class, lines.get(16));
    assertEquals("bad-missing-image", missing.id());
  }

  private static List<ParsedLine> parseAll() throws Exception {
    SampleParser parser = new SampleParser(SampleSettings.DEFAULTS);
    List<ParsedLine> parsed = new ArrayList<>();
    for (String manifest : List.of("vqa.jsonl", "chat.jsonl", "sharegpt.jsonl")) {
      String[] lines = Files.readString(Models.EXAMPLES.resolve(manifest)).split("\n");
      assertEquals(MANIFESTS.get(manifest), lines.length);
      for (int i = 0; i < lines.length; i++) {
        parsed.add(
            parser.parse(
                new ManifestLine(
                    new Provenance(manifest, 0, i + 1),
                    lines[i].getBytes(StandardCharsets.UTF_8),
                    true)));
      }
    }
    return parsed;
  }

  private static void assertHash(JsonNode expected, String key, long[] values, String id) {
    ByteBuffer bytes = ByteBuffer.allocate(8 * values.length).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asLongBuffer().put(values);
    assertEquals(expected.path(key).asText(), Sha256.hex(bytes.array()), id + " " + key);
  }
}
