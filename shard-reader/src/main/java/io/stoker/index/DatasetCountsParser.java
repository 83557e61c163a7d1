package io.stoker.index;

import com.fasterxml.jackson.core.JsonGenerator;
import io.stoker.format.JsonDocument;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/** {@link DatasetCounts} to and from a JSON object. */
final class DatasetCountsParser {
  private static final String SAMPLES = "samples";
  private static final String PACKS = "packs";
  private static final String TOKENS = "tokens";
  private static final String SUPERVISED_TOKENS = "supervised-tokens";
  private static final String PATCHES = "patches";
  private static final String REJECTS = "rejects";

  private DatasetCountsParser() {}

  static void toJson(DatasetCounts counts, JsonGenerator json) throws IOException {
    json.writeStartObject();
    json.writeNumberField(SAMPLES, counts.samples());
    json.writeNumberField(PACKS, counts.packs());
    json.writeNumberField(TOKENS, counts.tokens());
    json.writeNumberField(SUPERVISED_TOKENS, counts.supervisedTokens());
    json.writeNumberField(PATCHES, counts.patches());
    json.writeObjectFieldStart(REJECTS);
    for (Map.Entry<String, Long> reject : counts.rejects().entrySet()) {
      json.writeNumberField(reject.getKey(), reject.getValue());
    }
    json.writeEndObject();
    json.writeEndObject();
  }

  static DatasetCounts fromJson(JsonDocument json) throws IOException {
    Map<String, Long> numbers = new HashMap<>();
    Map<String, Long> rejects = new HashMap<>();
    json.object(
        key -> {
          switch (key) {
            case SAMPLES, PACKS, TOKENS, SUPERVISED_TOKENS, PATCHES ->
                numbers.put(key, json.count());
            case REJECTS -> rejects.putAll(json.counts());
            default -> {
              return false;
            }
          }
          return true;
        });
    return DatasetCounts.of(
        json.require(SAMPLES, numbers.get(SAMPLES)),
        json.require(PACKS, numbers.get(PACKS)),
        json.require(TOKENS, numbers.get(TOKENS)),
        json.require(SUPERVISED_TOKENS, numbers.get(SUPERVISED_TOKENS)),
        json.require(PATCHES, numbers.get(PATCHES)),
        rejects);
  }
}
