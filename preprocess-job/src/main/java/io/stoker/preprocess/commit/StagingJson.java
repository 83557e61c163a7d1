package io.stoker.preprocess.commit;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;

/**
 * What the staging area holds ↔ JSON, member by component of the record classes. Nobody but the
 * next run of the same software reads it: the dataset's id, which names the directory, depends on
 * the version. A record with a missing or an unknown member, such as one of another layout, is
 * refused like a damaged one, and then its partition is done again.
 */
final class StagingJson {
  private static final ObjectMapper MAPPER =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
          .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
          .build();

  private StagingJson() {}

  static byte[] write(Record value) throws IOException {
    return MAPPER.writeValueAsBytes(value);
  }

  /**
   * Reads the record of a finished partition.
   *
   * @throws IOException if it is not one
   */
  static StagedPartition readPartition(String resource, byte[] json) throws IOException {
    try {
      StagedPartition partition = MAPPER.readValue(json, StagedPartition.class);
      if (partition != null) {
        return partition;
      }
      throw new IOException(expected(resource, "null"));
    } catch (JsonProcessingException e) {
      throw new IOException(expected(resource, e.getOriginalMessage()), e);
    }
  }

  private static String expected(String resource, String found) {
    return "expected the record of a finished partition in %s, found something else: %s"
        .formatted(resource, found);
  }
}
