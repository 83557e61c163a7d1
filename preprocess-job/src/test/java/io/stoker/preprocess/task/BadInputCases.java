package io.stoker.preprocess.task;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.stoker.preprocess.commit.StagedPartition;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Lines of a manifest and the answers that are expected, to be run through the whole chain. */
abstract class BadInputCases {
  static final String WRITTEN = "written";
  static final ObjectMapper JSON = new ObjectMapper();

  final Path directory;

  /** Lines by what they show, in order, with the answer. */
  final Map<String, Case> cases = new LinkedHashMap<>();

  record Case(byte[] line, String answer) {}

  BadInputCases(Path directory) throws IOException {
    this.directory = directory;
    copyFixture("jpeg-420.jpg", directory.resolve("good.jpg"));
  }

  static void copyFixture(String name, Path target) throws IOException {
    try (InputStream in = BadInputCases.class.getResourceAsStream("/decode/files/" + name)) {
      Files.copy(in, target);
    }
  }

  void line(String answer, String name, byte[] line) {
    cases.put(name, new Case(line, answer));
  }

  void line(String answer, String line) {
    line(
        answer,
        line.length() > 60 ? line.substring(0, 60) + line.length() : line,
        line.getBytes(UTF_8));
  }

  /** A record of this text. */
  void text(String answer, String text) {
    String user = quoted(text);
    line(
        answer,
        "{\"messages\":[{\"role\":\"user\",\"content\":%s},{\"role\":\"assistant\",\"content\":\"b\"}]}"
            .formatted(user));
  }

  void path(String answer, String path) {
    line(answer, "{\"image\":%s,\"question\":\"q\",\"answer\":\"a\"}".formatted(quoted(path)));
  }

  static String quoted(String text) {
    return JSON.getNodeFactory().textNode(text).toString();
  }

  static byte[] joined(String before, int[] bytes, String after) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(before.getBytes(UTF_8));
    for (int b : bytes) {
      out.write(b);
    }
    out.writeBytes(after.getBytes(UTF_8));
    return out.toByteArray();
  }

  /** Runs all lines, a good one before, between and after them. */
  void assertAnswers(Map<String, String> settings) throws Exception {
    ByteArrayOutputStream manifest = new ByteArrayOutputStream();
    Map<Integer, String> names = new TreeMap<>();
    int line = 0;
    for (Map.Entry<String, Case> each : cases.entrySet()) {
      manifest.writeBytes(good(line++));
      manifest.writeBytes(each.getValue().line());
      manifest.write('\n');
      line++;
      names.put(line, each.getKey());
    }
    manifest.writeBytes(good(line));
    Path file = directory.resolve("m.jsonl");
    Files.write(file, manifest.toByteArray());
    Path output = directory.resolve("out");
    Map<String, String> all = new TreeMap<>(Map.of("manifest.max-line-bytes", "8m"));
    all.putAll(settings);
    StagedPartition staged = ExampleJob.of(output, List.of(file), all).run(new CountingProgress());
    Map<String, String> found = new TreeMap<>();
    cases.keySet().forEach(name -> found.put(name, WRITTEN));
    if (staged.rejects() != null) {
      for (String reject : Files.readAllLines(output.resolve(staged.rejects()))) {
        JsonNode json = JSON.readTree(reject);
        String name = names.getOrDefault(json.path("line").asInt(), "good " + json.path("line"));
        found.put(name, json.path("reason").asText());
        assertTrue(json.path("detail").asText().chars().noneMatch(Character::isISOControl), reject);
      }
    }
    Map<String, String> expected = new TreeMap<>();
    cases.forEach((name, each) -> expected.put(name, each.answer()));
    List<String> differences = new ArrayList<>();
    found.forEach(
        (name, answer) -> {
          if (!answer.equals(expected.get(name))) {
            differences.add(
                "%s: expected %s, found %s".formatted(name, expected.get(name), answer));
          }
        });
    assertEquals(List.of(), differences);
    long written = cases.values().stream().filter(each -> each.answer().equals(WRITTEN)).count();
    assertEquals(cases.size() + 1 + written, staged.counts().samples());
    assertEquals(2L * cases.size() + 1, staged.counts().rows());
  }

  static byte[] good(int line) {
    return "{\"id\":\"good-%d\",\"image\":\"good.jpg\",\"question\":\"What?\",\"answer\":\"This.\"}\n"
        .formatted(line)
        .getBytes(UTF_8);
  }

  static String answer(JsonNode stated) {
    if (stated.has("reject")) {
      return stated.path("reject").asText();
    }
    int width = stated.path("width").asInt();
    int height = stated.path("height").asInt();
    boolean narrow = Math.max(width, height) > 200L * Math.min(width, height);
    return narrow ? "aspect_ratio" : WRITTEN;
  }
}
