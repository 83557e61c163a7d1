package io.stoker.preprocess.config;

import static io.stoker.preprocess.config.PreprocessConfigTest.assertProblems;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rules beyond the type of one value. */
class ConfigRulesTest {
  @Test
  void valuesMustFitEachOther() {
    assertProblems(
        Map.of("shard.max-bytes", "1m", "block.bytes", "2m"),
        "shard.max-bytes: expected at least block.bytes (2097152), found 1048576");
    assertProblems(
        Map.of("vision.min-pixels", "2048", "vision.max-pixels", "1024"),
        "vision.max-pixels: expected at least vision.min-pixels (2048), found 1024");
    assertProblems(
        Map.of("pack.max-tokens", "349526"),
        "pack.max-tokens: expected at most 349525 with pixels.encoding and pixels.temporal as they"
            + " are, because the patches of a pack take up to 1g, found 349526");
    assertProblems(
        Map.of(
            "pack.max-tokens", "43691",
            "pixels.encoding", "float32",
            "pixels.temporal", "duplicated"),
        "pack.max-tokens: expected at most 43690 with pixels.encoding and pixels.temporal as they"
            + " are, because the patches of a pack take up to 1g, found 43691");
  }

  @ParameterizedTest
  @ValueSource(strings = {"image.root", "image.allowed-roots"})
  void rootsAreAbsolute(String key) {
    assertProblems(
        Map.of(key, "images"),
        key + ": expected a root such as s3a://bucket/prefix or /directory, found 'images'");
    assertProblems(
        Map.of(key, "s3a://key:secret@bucket/x"),
        key
            + ": expected a root such as s3a://bucket/prefix or /directory, found"
            + " 's3a://…@bucket/x'");
  }
}
