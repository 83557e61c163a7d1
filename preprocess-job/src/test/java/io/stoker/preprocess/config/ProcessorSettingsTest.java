package io.stoker.preprocess.config;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.stoker.preprocess.text.ModelDirectory;
import io.stoker.preprocess.vision.ResizeKernel;
import io.stoker.preprocess.vision.VisionSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The image processor's file. */
class ProcessorSettingsTest {
  private static final String GOOD =
      """
      {"size": {"shortest_edge": 65536, "longest_edge": 16777216}, "patch_size": 16,
       "merge_size": 2, "temporal_patch_size": 2, "image_mean": [0.5, 0.25, 1],
       "image_std": [0.5, 0.5, 0.5], "unknown": null}
      """;

  @Test
  void theFileOfTheModel() throws IOException {
    assertEquals(
        new VisionSettings(
            65536,
            16777216,
            16,
            2,
            2,
            List.of(0.5, 0.25, 1.0),
            List.of(0.5, 0.5, 0.5),
            ResizeKernel.TORCH),
        parse(GOOD, 0, 0));
  }

  @Test
  void boundsOfTheConfigurationGoBefore() throws IOException {
    VisionSettings settings = parse(GOOD, 1024, 2048);
    assertEquals(1024, settings.minPixels());
    assertEquals(2048, settings.maxPixels());
    String without = GOOD.replaceFirst("\"size\": \\{.*?},", "");
    assertEquals(settings, parse(without, 1024, 2048));
  }

  @Test
  void theExampleModel() throws IOException {
    ModelDirectory model =
        ModelDirectory.load(
            Path.of("..", "examples", "model").toString(), new Configuration(false));
    VisionSettings settings = ProcessorSettings.parse(model, 0, 0, ResizeKernel.PILLOW);
    assertEquals(65536, settings.minPixels());
    assertEquals(16777216, settings.maxPixels());
    assertEquals(List.of(0.5, 0.5, 0.5), settings.mean());
    assertEquals(ResizeKernel.PILLOW, settings.kernel());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"shortest_edge\": 65536,||expected a whole number at size.shortest_edge, found none",
        "65536|\"65536\"|expected a whole number at size.shortest_edge, found \"65536\"",
        "16777216|1.5|expected a whole number at size.longest_edge, found 1.5",
        "16777216|99999999999999999999|expected a whole number at size.longest_edge, found 99999999999999999999",
        "\"patch_size\": 16|\"patch_size\": null|expected a whole number at patch_size, found null",
        "\"patch_size\": 16|\"patch_size\": 14|only patch size 16 is supported, found 14",
        "\"patch_size\": 16|\"patch_size\": 4294967312|integer overflow",
        "[0.5, 0.25, 1]|0.5|expected a list of 3 numbers at image_mean, found 0.5",
        "[0.5, 0.25, 1]|[0.5, \"0.25\", 1]|expected a list of 3 numbers at image_mean, found [0.5,\"0.25\",1]",
        "[0.5, 0.5, 0.5]|[0.5, 0.5]|expected a list of 3 numbers at image_std, found [0.5,0.5]",
        "[0.5, 0.5, 0.5]|[0.5, 0, 0.5]|expected 3 positive numbers as std, found [0.5, 0.0, 0.5]",
        "\"image_std\"|\"image_sdt\"|expected a list of 3 numbers at image_std, found none",
      })
  void aBadValueIsNamedWithItsFile(String from, String to, String problem) {
    String json = GOOD.replace(from, to == null ? "" : to);
    IOException e = assertThrows(IOException.class, () -> parse(json, 0, 0));
    assertEquals("s3a://b/model/preprocessor_config.json: " + problem, e.getMessage());
  }

  @Test
  void boundsThatCrossAreNamed() {
    IOException e = assertThrows(IOException.class, () -> parse(GOOD, 0, 1024));
    assertEquals(
        "s3a://b/model/preprocessor_config.json: expected 1 <= min pixels <= max pixels, found min pixels 65536 and max pixels 1024",
        e.getMessage());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"{\"size\":", "<html>", "''"})
  void whatIsNoJsonIsSaidSo(String content) {
    IOException e = assertThrows(IOException.class, () -> parse(content, 0, 0));
    assertTrue(
        String.valueOf(e.getMessage()).startsWith("s3a://b/model/preprocessor_config.json"),
        e.getMessage());
  }

  private static VisionSettings parse(String json, long minPixels, long maxPixels)
      throws IOException {
    ModelDirectory model =
        new ModelDirectory(
            "s3a://b/model", Map.of("preprocessor_config.json", json.getBytes(UTF_8)));
    return ProcessorSettings.parse(model, minPixels, maxPixels, ResizeKernel.TORCH);
  }
}
