package io.stoker.preprocess.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A data set of any length: different cuts of real photographs, and a manifest of questions on
 * them.
 */
public final class Photographs {
  private static final int HEIGHT = 480;
  private static final int WIDTH = 640;
  private static final List<String> SOURCES =
      List.of(
          "table/coffee.jpg", "garage/motorcycle.jpg", "sky/rocket.jpg", "portrait/astronaut.jpg");

  private Photographs() {}

  /** Where a sample's picture lies below the data set's directory. */
  public static String key(int sample) {
    return "photos/%04d.jpg".formatted(sample);
  }

  /** Writes {@code manifest.jsonl} and {@code photos/} into a directory. */
  public static void write(Path examples, Path directory, int samples) throws IOException {
    Files.createDirectories(directory.resolve("photos"));
    StringBuilder manifest = new StringBuilder();
    for (int sample = 0; sample < samples; sample++) {
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
