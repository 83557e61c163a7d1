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

  /** Where a picture lies below the data set's directory. */
  public static String key(int picture) {
    return "photos/%04d.jpg".formatted(picture);
  }

  /**
   * Writes {@code manifest.jsonl} and {@code photos/} into a directory.
   *
   * @param pictures files
   * @param samples lines of the manifest, which show the pictures in turn
   */
  public static void write(Path examples, Path directory, int pictures, int samples)
      throws IOException {
    Files.createDirectories(directory.resolve("photos"));
    StringBuilder manifest = new StringBuilder();
    for (int picture = 0; picture < pictures; picture++) {
      Path source = examples.resolve("images").resolve(SOURCES.get(picture % SOURCES.size()));
      Files.write(
          directory.resolve(key(picture)), Photos.jpeg(source, HEIGHT, WIDTH, 2 * (picture / 4)));
    }
    for (int sample = 0; sample < samples; sample++) {
      manifest.append(
          "{\"id\": \"%d\", \"image\": \"%s\", \"question\": \"What is to be seen?\", \"answer\": \"Picture number %d.\"}%n"
              .formatted(sample, key(sample % pictures), sample));
    }
    Files.writeString(directory.resolve("manifest.jsonl"), manifest);
  }
}
