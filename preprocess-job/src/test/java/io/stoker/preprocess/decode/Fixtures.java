package io.stoker.preprocess.decode;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.stoker.preprocess.reject.SampleRejectedException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.SortedMap;
import java.util.TreeMap;

/** The files under {@code decode/files} and what {@code make_fixtures.py} says of them. */
final class Fixtures {
  static final DecodeSettings SETTINGS = DecodeSettings.defaults();

  /**
   * What is stated for one file.
   *
   * @param answer {@code 41x31 sha256}, or the code of the rejection
   * @param prefix shortest prefix from which Pillow gives the same pixels, or -1
   */
  record Stated(String name, String answer, int prefix) {
    boolean decodes() {
      return answer.contains("x");
    }

    @Override
    public String toString() {
      return name;
    }
  }

  private Fixtures() {}

  static SortedMap<String, Stated> stated(String json) {
    SortedMap<String, Stated> all = new TreeMap<>();
    for (var entry : tree(json).properties()) {
      JsonNode value = entry.getValue();
      String answer =
          value.has("reject")
              ? value.get("reject").asText()
              : "%dx%d %s"
                  .formatted(
                      value.get("width").asInt(),
                      value.get("height").asInt(),
                      value.get("sha256").asText());
      int prefix = value.path("prefix").asInt(-1);
      all.put(entry.getKey(), new Stated(entry.getKey(), answer, prefix));
    }
    return all;
  }

  static byte[] bytes(String name) {
    return resource("files/" + name);
  }

  /** What the two gates make of a file, in the words of {@link Stated#answer}. */
  static String answer(Decoder decoder, byte[] data) {
    return answer(decoder, data, SETTINGS);
  }

  static String answer(Decoder decoder, byte[] data, DecodeSettings settings) {
    try {
      ImageHeader header = ImageHeaders.read(data, settings);
      RgbImage image = decoder.decode(data, header);
      return "%dx%d %s".formatted(image.width(), image.height(), sha256(image));
    } catch (SampleRejectedException rejected) {
      if (rejected.detail().isEmpty() || rejected.detail().chars().anyMatch(c -> c < ' ')) {
        throw new AssertionError("expected a detail in one line, found " + rejected.detail());
      }
      return rejected.reason().code();
    }
  }

  private static String sha256(RgbImage image) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      ByteBuffer pixels = image.pixels();
      for (int y = 0; y < image.height(); y++) {
        digest.update(pixels.slice(y * image.rowStride(), 3 * image.width()));
      }
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }

  private static JsonNode tree(String json) {
    try {
      return new ObjectMapper().readTree(resource(json));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] resource(String name) {
    try (InputStream in = Fixtures.class.getResourceAsStream("/decode/" + name)) {
      if (in == null) {
        throw new AssertionError("expected the test resource decode/" + name);
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
