package io.stoker.preprocess.bench;

import io.stoker.preprocess.manifest.ManifestLine;
import io.stoker.preprocess.manifest.Provenance;
import io.stoker.preprocess.sample.Sample;
import io.stoker.preprocess.sample.SampleParser;
import io.stoker.preprocess.sample.SampleSettings;
import io.stoker.preprocess.text.ModelDirectory;
import io.stoker.preprocess.text.TextEncoder;
import io.stoker.preprocess.text.TextSettings;
import io.stoker.preprocess.text.TextSettings.ControlTokenPolicy;
import io.stoker.preprocess.text.TextSettings.LabelMode;
import io.stoker.preprocess.vision.Grid;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;

/**
 * Parsing, and rendering + tokenizing + labels + positions, per sample of the example manifests.
 */
final class TextBenchmark {
  private static final int ROUNDS = Effort.of(200, 1);

  private TextBenchmark() {}

  static void run(Path examples) throws Exception {
    BenchTable table = new BenchTable("text");
    SampleParser parser = new SampleParser(SampleSettings.DEFAULTS);
    List<ManifestLine> lines = lines(examples);
    List<Sample> samples =
        lines.stream()
            .map(parser::parse)
            .filter(Sample.class::isInstance)
            .map(Sample.class::cast)
            .toList();
    TextSettings settings =
        new TextSettings("qwen3-vl-instruct", ControlTokenPolicy.PLAIN, LabelMode.STRUCTURE);
    ModelDirectory model =
        ModelDirectory.load(examples.resolve("model").toString(), new Configuration(false));
    try (TextEncoder encoder = new TextEncoder(model, settings)) {
      Map<String, Double> medians =
          new Interleaved()
              .variant("parse", () -> lines.forEach(line -> parser.parse(line)))
              .variant("encode", () -> encode(encoder, samples))
              .run(ROUNDS);
      table.add("examples", "parse, per line", 1000 * medians.get("parse") / lines.size(), "us");
      table.add(
          "examples", "encode, per sample", 1000 * medians.get("encode") / samples.size(), "us");
    }
    table.write();
  }

  private static void encode(TextEncoder encoder, List<Sample> samples) throws Exception {
    for (Sample sample : samples) {
      encoder.encode(sample, Collections.nCopies(sample.images().size(), new Grid(26, 36)));
    }
  }

  private static List<ManifestLine> lines(Path examples) throws Exception {
    List<ManifestLine> lines = new ArrayList<>();
    for (String manifest : List.of("vqa.jsonl", "chat.jsonl", "sharegpt.jsonl")) {
      for (String line : Files.readAllLines(examples.resolve(manifest))) {
        lines.add(
            new ManifestLine(
                new Provenance(manifest, 0, 1), line.getBytes(StandardCharsets.UTF_8), true));
      }
    }
    return lines;
  }
}
