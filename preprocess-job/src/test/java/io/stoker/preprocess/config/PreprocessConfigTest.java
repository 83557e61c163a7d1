package io.stoker.preprocess.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.stoker.format.PixelLayout;
import io.stoker.preprocess.commit.RejectLimits;
import io.stoker.preprocess.decode.DecodeSettings;
import io.stoker.preprocess.decode.ImageFormat;
import io.stoker.preprocess.fetch.FetchSettings;
import io.stoker.preprocess.pack.PackSettings;
import io.stoker.preprocess.sample.SampleSettings;
import io.stoker.preprocess.shard.ShardSettings;
import io.stoker.preprocess.text.TextSettings;
import io.stoker.preprocess.text.TextSettings.ControlTokenPolicy;
import io.stoker.preprocess.text.TextSettings.LabelMode;
import io.stoker.preprocess.vision.ResizeKernel;
import io.stoker.preprocess.vision.SimdPath;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Values become settings; every problem is found, and all of them at once. */
class PreprocessConfigTest {
  private static final Map<String, String> REQUIRED =
      Map.of("input.manifests", "m.jsonl", "output.path", "out", "model.path", "model");

  @Test
  void defaults() throws ConfigException {
    PreprocessConfig config = PreprocessConfig.parse(REQUIRED);
    assertEquals(
        new JobSettings(
            List.of("m.jsonl"),
            "out",
            false,
            "model",
            0,
            2048,
            32 << 20,
            16 << 20,
            Duration.ofSeconds(5)),
        config.job());
    assertEquals(
        new SampleSettings(
            16 << 20, 64, 1_000_000, SampleSettings.DEFAULT_ROLES, false, false, false),
        config.stages().sample());
    assertEquals(
        new FetchSettings(32, 64, 64 << 20, 64 << 20, "", List.of()), config.stages().fetch());
    assertEquals(
        new DecodeSettings(
            DecodeSettings.PILLOW_MAX_PIXELS, 64 << 20, true, EnumSet.allOf(ImageFormat.class)),
        config.stages().decode());
    assertEquals(
        new TextSettings("auto", ControlTokenPolicy.PLAIN, LabelMode.STRUCTURE),
        config.stages().text());
    assertEquals(new ResizeSettings(ResizeKernel.TORCH, 0, 0), config.resize());
    assertEquals(new PixelSettings(SimdPath.AUTO, PixelLayout.UINT8), config.stages().pixels());
    assertEquals(new PackSettings(true, 4096, 512, 128 << 20), config.stages().pack());
    assertEquals(new ShardSettings(512 << 20, 8 << 20), config.stages().shard());
    assertEquals(new RejectLimits(0.01, 100), config.rejects());
  }

  private static Map<String, String> explicit() {
    Map<String, String> values = new TreeMap<>();
    values.put("input.manifests", "s3://b/{x,y}/*.jsonl, file:/m.jsonl ,,");
    values.put("output.path", "s3://b/out");
    values.put("output.restart", "true");
    values.put("model.path", " s3a://b/model ");
    values.put("image.root", "s3://images/all");
    values.put("image.allowed-roots", "s3://a/b,/mnt/c");
    values.put("image.formats", "png, JPEG");
    values.put("image.max-bytes", "1m");
    values.put("image.max-pixels", "1000");
    values.put("image.exif-orientation", "FALSE");
    values.put("vision.kernel", "pillow");
    values.put("vision.simd", "plain");
    values.put("vision.min-pixels", "1024");
    values.put("vision.max-pixels", "2048");
    values.put("pixels.encoding", "bfloat16");
    values.put("pixels.temporal", "duplicated");
    values.put("text.template", "qwen3-vl-instruct");
    values.put("text.control-tokens", "reject");
    values.put("text.labels", "finetune");
    values.put("text.max-chars", "5");
    values.put("pack.enabled", "false");
    values.put("pack.max-tokens", "2048");
    values.put("pack.window", "7");
    values.put("pack.window-bytes", "2g");
    values.put("shard.max-bytes", "1g");
    values.put("block.bytes", "100k");
    values.put("shuffle.seed", "-9");
    values.put("shuffle.partition-rows", "3");
    values.put("manifest.split-bytes", "12345");
    values.put("manifest.max-line-bytes", "2k");
    values.put("fetch.concurrency", "2");
    values.put("fetch.window", "4");
    values.put("fetch.window-bytes", "3m");
    values.put("fetch.attempts", "4");
    values.put("fetch.timeout", "7s");
    values.put("fetch.min-rate", "1k");
    values.put("fetch.deadline", "2min");
    values.put("image.max-count", "6");
    values.put("turns.merge-consecutive", "true");
    values.put("turns.drop-leading-answer", "TRUE");
    values.put("turns.keep-empty-answers", "true");
    values.put("sample.max-time", "9s");
    values.put("rejects.max-fraction", "0.5");
    values.put("rejects.min-tolerated", "0");
    values.put("progress.interval", "0s");
    return values;
  }

  @Test
  void explicitValues() throws ConfigException {
    PreprocessConfig config = PreprocessConfig.parse(explicit());
    assertEquals(
        new JobSettings(
            List.of("s3a://b/{x,y}/*.jsonl", "file:/m.jsonl"),
            "s3a://b/out",
            true,
            "s3a://b/model",
            -9,
            3,
            12345,
            2048,
            Duration.ZERO),
        config.job());
    assertEquals(
        new SampleSettings(
            2048,
            64,
            5,
            SampleSettings.DEFAULT_ROLES,
            true,
            true,
            true,
            new SampleSettings.Limits(6, Duration.ofSeconds(9))),
        config.stages().sample());
    assertEquals(
        new FetchSettings(
            2,
            4,
            3 << 20,
            1 << 20,
            "s3://images/all",
            List.of("s3://a/b", "/mnt/c"),
            FetchSettings.retry(4, Duration.ofSeconds(7), 1024, Duration.ofMinutes(2))),
        config.stages().fetch());
    assertEquals(
        new DecodeSettings(1000, 1 << 20, false, Set.of(ImageFormat.PNG, ImageFormat.JPEG)),
        config.stages().decode());
    assertEquals(
        new TextSettings("qwen3-vl-instruct", ControlTokenPolicy.REJECT, LabelMode.FINETUNE),
        config.stages().text());
    assertEquals(new ResizeSettings(ResizeKernel.PILLOW, 1024, 2048), config.resize());
    assertEquals(
        new PixelSettings(SimdPath.PLAIN, PixelLayout.of("bfloat16", "duplicated")),
        config.stages().pixels());
    assertEquals(new PackSettings(false, 2048, 7, 2L << 30), config.stages().pack());
    assertEquals(new ShardSettings(1 << 30, 100 << 10), config.stages().shard());
    assertEquals(new RejectLimits(0.5, 0), config.rejects());
  }

  @Test
  void theExplicitTestMissesNoKeyAndNoDefault() {
    Map<String, String> explicit = explicit();
    assertEquals(
        new HashSet<>(Arrays.stream(ConfigKey.values()).map(ConfigKey::key).toList()),
        explicit.keySet());
    for (ConfigKey key : ConfigKey.values()) {
      assertNotEquals(key.defaultValue(), explicit.get(key.key()), key.key());
    }
  }

  @Test
  void onlyWhatAffectsTheContentIsPartOfItsIdentity() throws ConfigException {
    Map<String, String> changed = new TreeMap<>(REQUIRED);
    changed.putAll(Map.of("output.path", "x", "fetch.window", "9", "vision.simd", "plain"));
    changed.put("progress.interval", "1h");
    assertEquals(
        PreprocessConfig.parse(REQUIRED).content(), PreprocessConfig.parse(changed).content());
    changed.put("shuffle.seed", "1");
    assertNotEquals(
        PreprocessConfig.parse(REQUIRED).content(), PreprocessConfig.parse(changed).content());
    assertEquals("1", PreprocessConfig.parse(changed).content().get("shuffle.seed"));
  }

  /** Each lets rows in that were rejected before. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "turns.merge-consecutive",
        "turns.drop-leading-answer",
        "turns.keep-empty-answers"
      })
  void whatTurnsAreTakenIsPartOfTheIdentity(String key) throws ConfigException {
    assertEquals("false", PreprocessConfig.parse(REQUIRED).content().get(key));
    assertEquals("true", parse(key, "true").content().get(key));
  }

  @Test
  void anUnknownKeyIsAProblemThatSuggestsTheNearest() {
    assertProblems(
        Map.of("pack.max-token", "1"),
        "unknown key 'pack.max-token'; did you mean 'pack.max-tokens'?");
    assertProblems(
        Map.of("packing.window", "1"), "unknown key 'packing.window'; did you mean 'pack.window'?");
  }

  @Test
  void allProblemsAreReportedTogether() {
    ConfigException e =
        assertThrows(
            ConfigException.class,
            () ->
                PreprocessConfig.parse(
                    Map.of("seed", "1", "pack.window", "x", "vision.kernel", "lanczos")));
    assertEquals(
        List.of(
            "unknown key 'seed'; did you mean 'shuffle.seed'?",
            "input.manifests: expected at least one manifest, found nothing",
            "output.path: expected a directory for the dataset, found nothing",
            "model.path: expected a model directory, found nothing",
            "pack.window: expected a whole number from 1 to 2147483647, found 'x'",
            "vision.kernel: expected one of torch, pillow, found 'lanczos'"),
        e.problems().stream().sorted((a, b) -> order(a) - order(b)).toList());
    assertEquals(String.join("\n", e.problems()), e.getMessage());
  }

  private static int order(String problem) {
    return List.of("unkn", "inpu", "outp", "mode", "pack", "visi").indexOf(problem.substring(0, 4));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "text.template|''|the name of a chat template or auto, found nothing",
        "text.labels|all|one of structure, finetune, found 'all'",
        "pixels.encoding|float16|one of uint8, bfloat16, float32, found 'float16'",
        "image.formats|jpeg,tiff|some of jpeg, png, webp, gif, bmp, found 'jpeg,tiff'",
        "image.formats|''|some of jpeg, png, webp, gif, bmp, found ''",
        "pack.enabled|yes|true or false, found 'yes'",
        "image.exif-orientation|''|true or false, found ''",
        "pack.max-tokens|0|a whole number from 1 to 2147483647, found '0'",
        "pack.max-tokens|4k|a whole number from 1 to 2147483647, found '4k'",
        "pack.max-tokens|1.5|a whole number from 1 to 2147483647, found '1.5'",
        "pack.max-tokens|99999999999|a whole number from 1 to 2147483647, found '99999999999'",
        "shuffle.seed|0x1|a whole number from -9223372036854775808 to 9223372036854775807, found '0x1'",
        "vision.min-pixels|0|nothing or a whole number from 1 to 9223372036854775807, found '0'",
        "image.max-pixels|715827883|a whole number from 1 to 715827882, found '715827883'",
        "image.max-bytes|2g|a size from 1 bytes to 1073741824 bytes, such as 512m, found '2g'",
        "image.max-bytes|''|a size from 1 bytes to 1073741824 bytes, such as 512m, found ''",
        "image.max-bytes|-1|a size from 1 bytes to 1073741824 bytes, such as 512m, found '-1'",
        "image.max-bytes|1.5m|a size from 1 bytes to 1073741824 bytes, such as 512m, found '1.5m'",
        "image.max-bytes|9999999p|a size from 1 bytes to 1073741824 bytes, such as 512m, found '9999999p'",
        "shard.max-bytes|2g|a size from 1 bytes to 1073741824 bytes, such as 512m, found '2g'",
        "block.bytes|257m|a size from 1 bytes to 268435456 bytes, such as 512m, found '257m'",
        "manifest.max-line-bytes|1|a size from 2 bytes to 1073741823 bytes, such as 512m, found '1'",
        "rejects.max-fraction|1%|a number from 0 to 1, found '1%'",
        "rejects.max-fraction|1.01|a number from 0 to 1, found '1.01'",
        "rejects.max-fraction|NaN|a number from 0 to 1, found 'NaN'",
        "rejects.min-tolerated|-1|a whole number from 0 to 9223372036854775807, found '-1'",
        "progress.interval|5|a duration such as 30s, found '5'",
        "progress.interval|-5s|a duration such as 30s, found '-5s'",
        "progress.interval|soon|a duration such as 30s, found 'soon'",
        "progress.interval|99999999999999999h|a duration such as 30s, found '99999999999999999h'",
      })
  void aBadValueIsNamedWithWhatWasExpected(String key, String value, String problem) {
    assertProblems(Map.of(key, value), key + ": expected " + problem);
  }

  @ParameterizedTest
  @CsvSource({"250ms, 250", "30s, 30000", "2m, 120000", "2min, 120000", "1h, 3600000"})
  void durationsHaveUnits(String value, long millis) throws ConfigException {
    assertEquals(
        Duration.ofMillis(millis), parse("progress.interval", value).job().progressInterval());
  }

  private static PreprocessConfig parse(String key, String value) throws ConfigException {
    Map<String, String> values = new TreeMap<>(REQUIRED);
    values.put(key, value);
    return PreprocessConfig.parse(values);
  }

  static void assertProblems(Map<String, String> values, String... problems) {
    Map<String, String> all = new TreeMap<>(REQUIRED);
    all.putAll(values);
    ConfigException e = assertThrows(ConfigException.class, () -> PreprocessConfig.parse(all));
    assertEquals(List.of(problems), e.problems());
    assertTrue(String.valueOf(e.getMessage()).contains(problems[0]));
  }
}
