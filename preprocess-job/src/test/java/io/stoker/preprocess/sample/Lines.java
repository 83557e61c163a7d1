package io.stoker.preprocess.sample;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.stoker.preprocess.manifest.ManifestLine;
import io.stoker.preprocess.manifest.Provenance;
import io.stoker.preprocess.sample.Turn.Part;
import java.nio.charset.StandardCharsets;

/** Shorthand for lines and their outcome. */
final class Lines {
  private static final SampleParser PARSER = new SampleParser(SampleSettings.DEFAULTS);

  private Lines() {}

  static ManifestLine line(byte[] bytes) {
    return new ManifestLine(new Provenance("s3a://b/dir/m.jsonl", 4711, 12), bytes, true);
  }

  static ManifestLine line(String text) {
    return line(text.getBytes(StandardCharsets.UTF_8));
  }

  static Sample sample(String text) {
    return sample(PARSER, text);
  }

  static Sample sample(SampleParser parser, String text) {
    return assertInstanceOf(Sample.class, parser.parse(line(text)));
  }

  static Rejection rejection(byte[] bytes) {
    return assertInstanceOf(Rejection.class, PARSER.parse(line(bytes)));
  }

  /** Of the last line of a manifest that ends without a line end. */
  static Rejection rejectionAtEnd(byte[] bytes) {
    ManifestLine line = new ManifestLine(line(bytes).provenance(), bytes, false);
    return assertInstanceOf(Rejection.class, PARSER.parse(line));
  }

  static Rejection rejection(String text) {
    return rejection(text.getBytes(StandardCharsets.UTF_8));
  }

  /** The parts of a turn, texts in quotes, images in angle brackets. */
  static String show(Sample sample, int turn) {
    StringBuilder out = new StringBuilder(sample.turns().get(turn).role().name());
    for (Part part : sample.turns().get(turn).parts()) {
      if (part instanceof Part.Text text) {
        out.append(" \"").append(text.text()).append('"');
      } else if (part instanceof Part.Image image) {
        out.append(" <").append(image.reference()).append('>');
      }
    }
    return out.toString();
  }
}
