package io.stoker.preprocess.bench.ladder;

import io.stoker.preprocess.bench.Photos;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The ladder's data set: different cuts of real photographs, and a manifest of questions on them.
 */
final class Photographs {
  static final int SAMPLES = 160;
  private static final int HEIGHT = 480;
  private static final int WIDTH = 640;
  private static final List<String> SOURCES =
      List.of(
          "table/coffee.jpg", "garage/motorcycle.jpg", "sky/rocket.jpg", "portrait/astronaut.jpg");

  private Photographs() {}

  static String key(int sample) {
    return "photos/%04d.jpg".formatted(sample % SAMPLES);
  }

  static void write(Path examples, Path directory) throws IOException {
    Files.createDirectories(directory.resolve("photos"));
    StringBuilder manifest = new StringBuilder();
    for (int sample = 0; sample < SAMPLES; sample++) {
      Path source = examples.resolve("images").resolve(SOURCES.get(sample % SOURCES.size()));
      Files.write(
          directory.resolve(key(sample)), Photos.jpeg(source, HEIGHT, WIDTH, 2 * (sample / 4)));
      manifest.append(
          "{\"id\": \"%d\", \"image\": \"%s\", \"question\": \"What is to be seen?\", \"answer\": \"Picture number %d.\"}%n"
              .formatted(sample, key(sample), sample));
    }
    Files.writeString(directory.resolve("manifest.jsonl"), manifest);
  }
}
