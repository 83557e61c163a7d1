package io.stoker.preprocess.it;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.stoker.format.ElementType;
import io.stoker.index.ValueTable;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** What the reference processor makes of every line of the examples. */
final class Oracle {
  static final int SAMPLES = 27;
  static final int PATCHES = 27_152;
  static final int TOKENS = 7_747;
  static final int SUPERVISED_TOKENS = 421;
  static final Map<String, Long> REJECTS =
      Map.of("bad_json", 1L, "image_missing", 1L, "media_count_mismatch", 1L);

  private static final String PIXELS_KEY = "pixel_values_sha256_f32le";
  private static final List<String> KEYS =
      List.of(
          "tokens",
          "supervised_tokens",
          "input_ids_sha256_i64le",
          "labels_sha256_i64le",
          "position_ids_sha256_i64le",
          "image_grid_thw",
          "patches",
          "pixel_patches_u8_sha256",
          PIXELS_KEY);

  private Oracle() {}

  private static JsonNode samples() throws IOException {
    try (InputStream in = Oracle.class.getResourceAsStream("/text/examples-oracle.json")) {
      return new ObjectMapper().readTree(in).path("samples");
    }
  }

  /** Expected values by sample, as text. */
  private static SortedMap<String, SortedMap<String, String>> expected() throws IOException {
    SortedMap<String, SortedMap<String, String>> all = new TreeMap<>();
    for (Map.Entry<String, JsonNode> sample : samples().properties()) {
      if (!sample.getValue().has("reject")) {
        SortedMap<String, String> values = new TreeMap<>();
        for (String key : KEYS) {
          if (sample.getValue().has(key)) {
            JsonNode value = sample.getValue().path(key);
            values.put(key, value.isTextual() ? value.textValue() : value.toString());
          }
        }
        all.put(sample.getKey(), values);
      }
    }
    assertEquals(SAMPLES, all.size());
    return all;
  }

  /** Fails unless these, with raw pixels of one slot, are exactly the reference's samples. */
  static void assertReproduced(Map<String, FinishedSample> samples, ValueTable table)
      throws IOException {
    SortedMap<String, SortedMap<String, String>> found = new TreeMap<>();
    samples.forEach(
        (id, sample) -> {
          SortedMap<String, String> values = new TreeMap<>();
          values.put("tokens", Integer.toString(sample.tokens()));
          values.put("supervised_tokens", Long.toString(sample.supervisedTokens()));
          values.put("input_ids_sha256_i64le", Sha256.hex(sample.inputIds()));
          values.put("labels_sha256_i64le", Sha256.hex(sample.labels()));
          values.put("position_ids_sha256_i64le", Sha256.hex(sample.positionIds()));
          values.put("image_grid_thw", sample.grids().toString().replace(" ", ""));
          if (sample.patches() > 0) {
            values.put("patches", Long.toString(sample.patches()));
            values.put("pixel_patches_u8_sha256", Sha256.hex(sample.pixels()));
            values.put(PIXELS_KEY, Sha256.hex(sample.pixels(table, ElementType.FLOAT32, 2)));
          }
          found.put(id, values);
        });
    assertEquals(expected(), found);
  }

  /** SHA-256 of the reference's pixel tensor by sample, for samples that have one. */
  static SortedMap<String, String> pixelTensors() throws IOException {
    SortedMap<String, String> hashes = new TreeMap<>();
    expected()
        .forEach(
            (id, values) -> {
              if (values.containsKey(PIXELS_KEY)) {
                hashes.put(id, values.get(PIXELS_KEY));
              }
            });
    return hashes;
  }
}
