package io.stoker.preprocess.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.stoker.preprocess.text.ModelDirectory;
import io.stoker.preprocess.vision.ResizeKernel;
import io.stoker.preprocess.vision.VisionSettings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads {@code preprocessor_config.json}: {@code size.shortest_edge} and {@code size.longest_edge}
 * are areas in pixels there, in spite of their names.
 */
final class ProcessorSettings {
  private static final int CHANNELS = 3;

  private final JsonNode root;

  private ProcessorSettings(JsonNode root) {
    this.root = root;
  }

  /**
   * Parses the settings; bounds above 0 replace those of the file.
   *
   * @throws IOException if the file is not what the image processor writes
   */
  static VisionSettings parse(
      ModelDirectory model, long minPixels, long maxPixels, ResizeKernel kernel)
      throws IOException {
    String source = model.uri(ModelDirectory.PROCESSOR);
    try {
      ProcessorSettings file =
          new ProcessorSettings(new ObjectMapper().readTree(model.file(ModelDirectory.PROCESSOR)));
      return new VisionSettings(
          minPixels > 0 ? minPixels : file.number("size", "shortest_edge"),
          maxPixels > 0 ? maxPixels : file.number("size", "longest_edge"),
          Math.toIntExact(file.number("patch_size")),
          Math.toIntExact(file.number("merge_size")),
          Math.toIntExact(file.number("temporal_patch_size")),
          file.numbers("image_mean"),
          file.numbers("image_std"),
          kernel);
    } catch (JsonProcessingException e) {
      throw new IOException("%s is no JSON: %s".formatted(source, e.getOriginalMessage()), e);
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw new IOException("%s: %s".formatted(source, e.getMessage()), e);
    }
  }

  private long number(String... path) {
    JsonNode node = root;
    for (String name : path) {
      node = node.path(name);
    }
    if (!node.isIntegralNumber() || !node.canConvertToLong()) {
      throw new IllegalArgumentException(
          "expected a whole number at %s, found %s".formatted(String.join(".", path), show(node)));
    }
    return node.longValue();
  }

  private List<Double> numbers(String name) {
    JsonNode list = root.path(name);
    List<Double> numbers = new ArrayList<>();
    for (JsonNode node : list) {
      if (node.isNumber()) {
        numbers.add(node.doubleValue());
      }
    }
    if (!list.isArray() || numbers.size() != CHANNELS || list.size() != CHANNELS) {
      throw new IllegalArgumentException(
          "expected a list of %d numbers at %s, found %s".formatted(CHANNELS, name, show(list)));
    }
    return numbers;
  }

  private static String show(JsonNode node) {
    return node.isMissingNode() ? "none" : node.toString();
  }
}
