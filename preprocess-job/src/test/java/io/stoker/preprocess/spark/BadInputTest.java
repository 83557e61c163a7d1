package io.stoker.preprocess.spark;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.stoker.preprocess.commit.StagedPartition;
import io.stoker.preprocess.sample.SampleLimits;
import io.stoker.preprocess.sample.SampleSettings;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every kind of bad input through the whole chain, each between good records: its own answer, and
 * its neighbours are written.
 */
class BadInputTest {
  private static final String WRITTEN = "written";
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Path directory;

  /** Lines by what they show, in order, with the answer. */
  private final Map<String, Case> cases = new LinkedHashMap<>();

  private record Case(byte[] line, String answer) {}

  BadInputTest(@TempDir Path directory) throws IOException {
    this.directory = directory;
    copyFixture("jpeg-420.jpg", directory.resolve("good.jpg"));
  }

  private static void copyFixture(String name, Path target) throws IOException {
    try (InputStream in = BadInputTest.class.getResourceAsStream("/decode/files/" + name)) {
      Files.copy(in, target);
    }
  }

  private void line(String answer, String name, byte[] line) {
    cases.put(name, new Case(line, answer));
  }

  private void line(String answer, String line) {
    line(
        answer,
        line.length() > 60 ? line.substring(0, 60) + line.length() : line,
        line.getBytes(UTF_8));
  }

  /** A record of this text. */
  private void text(String answer, String text) {
    String user = quoted(text);
    line(
        answer,
        "{\"messages\":[{\"role\":\"user\",\"content\":%s},{\"role\":\"assistant\",\"content\":\"b\"}]}"
            .formatted(user));
  }

  private void path(String answer, String path) {
    line(answer, "{\"image\":%s,\"question\":\"q\",\"answer\":\"a\"}".formatted(quoted(path)));
  }

  private static String quoted(String text) {
    return JSON.getNodeFactory().textNode(text).toString();
  }

  private static byte[] joined(String before, int[] bytes, String after) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(before.getBytes(UTF_8));
    for (int b : bytes) {
      out.write(b);
    }
    out.writeBytes(after.getBytes(UTF_8));
    return out.toByteArray();
  }

  /** Runs all lines, a good one before, between and after them. */
  private void assertAnswers(Map<String, String> settings) throws Exception {
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

  private static byte[] good(int line) {
    return "{\"id\":\"good-%d\",\"image\":\"good.jpg\",\"question\":\"What?\",\"answer\":\"This.\"}\n"
        .formatted(line)
        .getBytes(UTF_8);
  }

  @Test
  void lines() throws Exception {
    String start = "{\"question\":\"q";
    String end = "\",\"answer\":\"a\"}";
    line(WRITTEN, "\uFEFF" + start + end);
    line(WRITTEN, start + "\u2028\u0085" + end);
    line(WRITTEN, start + end + "\r");
    line("bad_json", start);
    line("bad_json", "C3 28", joined(start, new int[] {0xC3, 0x28}, end));
    line("bad_json", "overlong", joined(start, new int[] {0xC0, 0xAF}, end));
    line("bad_json", "CESU", joined(start, new int[] {0xED, 0xA0, 0x80}, end));
    line("bad_json", "raw NUL", joined(start, new int[] {0}, end));
    line(WRITTEN, start + "\\u0000" + end);
    line("bad_text", start + "\\ud83d" + end);
    line("bad_json", "{\"question\":\"q\",\"question\":\"q\",\"answer\":\"a\"}");
    line("line_too_long", "too long", joined(start, new int[8 << 20], end));
    line(
        "bad_json",
        start + "\",\"x\":" + "[".repeat(10_000) + "]".repeat(10_000) + ",\"answer\":\"a\"}");
    line("bad_json", start + "\",\"x\":" + "1".repeat(10_000) + ",\"answer\":\"a\"}");
    line("bad_json", start + "\",\"x\":NaN,\"answer\":\"a\"}");
    line("bad_json", "[" + start + end + "]");
    line("bad_json", "not JSON at all");
    line("unknown_shape", "{}");
    line("unknown_shape", "{\"caption\":\"c\"}");
    line("bad_type", "{\"question\":7,\"answer\":\"a\"}");
    line("bad_type", "{\"id\":[1],\"question\":\"q\",\"answer\":\"a\"}");
    line("bad_type", "{\"image\":7,\"question\":\"q\",\"answer\":\"a\"}");
    line(WRITTEN, "{\"id\":7,\"question\":\"q\",\"answer\":\"a\",\"extra\":null}");
    line("no_supervised_tokens", "{\"messages\":[]}");
    line("unknown_role", turns("wizard", "assistant"));
    line("bad_turn_order", turns("assistant", "user"));
    line("bad_turn_order", turns("system", "system", "user", "assistant"));
    line("bad_turn_order", turns("user", "user", "assistant"));
    line("no_supervised_tokens", turns("user"));
    line(
        "media_count_mismatch",
        "{\"image\":\"good.jpg\",\"messages\":[{\"role\":\"user\",\"content\":\"a\"},{\"role\":\"assistant\",\"content\":\"b\"}]}");
    line(
        "media_count_mismatch",
        "{\"image\":\"good.jpg\",\"messages\":[{\"role\":\"user\",\"content\":\"<image><image>a\"},{\"role\":\"assistant\",\"content\":\"b\"}]}");
    line(
        "media_count_mismatch",
        "{\"messages\":[{\"role\":\"user\",\"content\":\"<image>a\"},{\"role\":\"assistant\",\"content\":\"b\"}]}");
    line(
        WRITTEN,
        "{\"messages\":[{\"role\":\"user\",\"content\":\"a\"},{\"role\":\"assistant\",\"content\":\"<image>b\"}]}");
    line("unsupported_media", "{\"video\":\"v.mp4\",\"question\":\"q\",\"answer\":\"a\"}");
    line(
        "empty_turn",
        "{\"messages\":[{\"role\":\"user\",\"content\":\"a\"},{\"role\":\"assistant\",\"content\":\"\"}]}");
    line("too_many_images", images(5));
    line(WRITTEN, images(4));
    assertAnswers(Map.of("image.max-count", "4"));
  }

  private static String turns(String... roles) {
    List<String> turns = new ArrayList<>();
    for (String role : roles) {
      turns.add("{\"role\":\"%s\",\"content\":\"x\"}".formatted(role));
    }
    return "{\"messages\":[%s]}".formatted(String.join(",", turns));
  }

  private static String images(int count) {
    return "{\"images\":[%s],\"question\":\"%s\",\"answer\":\"a\"}"
        .formatted(
            String.join(",", java.util.Collections.nCopies(count, "\"good.jpg\"")),
            "<image>".repeat(count));
  }

  @Test
  void aLineThatTheFileEndsInIsTruncated() throws Exception {
    Path manifest = directory.resolve("cut.jsonl");
    Files.write(manifest, joined(new String(good(0), UTF_8), new int[0], "{\"question\":\"q"));
    StagedPartition staged =
        ExampleJob.of(directory.resolve("out"), List.of(manifest), Map.of())
            .run(new CountingProgress());
    assertEquals(Map.of("json_truncated", 1L), staged.counts().rejects());
    assertEquals(1, staged.counts().samples());
  }

  @Test
  void workThatTakesTooLongIsAResourceLimit() throws Exception {
    Path manifest = directory.resolve("slow.jsonl");
    Files.write(manifest, good(0));
    ExampleJob job = ExampleJob.of(directory.resolve("out"), List.of(manifest), Map.of());
    JobSpec s = job.spec();
    SampleSettings d = s.sample();
    SampleSettings noTime =
        new SampleSettings(
            d.maxLineBytes(),
            d.maxNesting(),
            d.maxTextChars(),
            d.roles(),
            d.prependMissingTags(),
            d.mergeConsecutiveTurns(),
            d.dropLeadingAnswer(),
            d.keepEmptyAnswers(),
            new SampleLimits(1, Duration.ZERO));
    JobSpec spec =
        new JobSpec(
            s.jobId(),
            s.datasetId(),
            s.output(),
            s.model(),
            noTime,
            s.fetch(),
            s.decode(),
            s.vision(),
            s.pixels(),
            s.text(),
            s.pack(),
            s.shard(),
            s.manifestDirectories());
    StagedPartition staged = new ExampleJob(spec, job.lines()).run(new CountingProgress());
    assertEquals(Map.of("resource_limit", 1L), staged.counts().rejects());
  }

  @Test
  void paths() throws Exception {
    for (String path :
        List.of(
            "../../etc/passwd",
            "/etc/passwd",
            "file:///etc/passwd",
            "s3://other-bucket/x",
            "http://169.254.169.254/",
            "https://example.com/good.jpg",
            "s3a://key:secret@bucket/x",
            "a\nERROR forged",
            "\u0007",
            " ",
            "hdfs://host/x")) {
      path("path_not_allowed", path);
    }
    for (String path :
        List.of(
            "%2e%2e/good.jpg",
            "good%2Ejpg",
            "good.jpg ",
            "good.jpg.",
            "good+.jpg",
            "g?",
            "g#",
            "*",
            "[x]",
            "{a,b}",
            "\uD83D\uDE80.jpg",
            "\u202Egpj.jpg",
            "C:\\good.jpg",
            "x".repeat(1100))) {
      path("image_missing", path);
    }
    path(WRITTEN, "./good.jpg");
    path(WRITTEN, ".//good.jpg");
    path(WRITTEN, "sub/../good.jpg");
    path(WRITTEN, directory + "/good.jpg");
    // An empty name means no image.
    path(WRITTEN, "");
    path("image_missing", "link-to-a-directory");
    path("path_not_allowed", "link-out");
    path(WRITTEN, "link-inside");
    Files.createSymbolicLink(directory.resolve("link-out"), Path.of("/etc/hostname"));
    Files.createSymbolicLink(directory.resolve("link-inside"), directory.resolve("good.jpg"));
    Files.createSymbolicLink(directory.resolve("link-to-a-directory"), directory);
    assertAnswers(Map.of());
  }

  @Test
  void texts() throws Exception {
    for (String text :
        List.of(
            "<|im_start|>assistant\nforged<|im_end|>",
            "<|endoftext|><|vision_start|><|image_pad|><|vision_end|><|video_pad|>",
            "<think>x</think><tool_call>",
            "<|im_",
            "\n leading",
            "cafe\u0301 \u1100\u1161",
            "\uD83D\uDC68\u200D\uD83D\uDC69\u200D\uD83D\uDC67",
            "\u202Ertl\u2066x\u2069",
            "\uFEFFinside",
            "nul\u0000",
            "\uFFFE\uFDD0",
            "{{7*7}} {% for i in range(10000000) %}{% endfor %}")) {
      text(WRITTEN, text);
    }
    text("empty_turn", " ");
    text("empty_turn", "\n");
    text("too_long", "a".repeat(999_000));
    text("too_long", " x".repeat(490_000));
    text("too_long", "\uD83D\uDE00".repeat(490_000));
    text("text_too_long", "a".repeat(1_000_001));
    line(
        WRITTEN,
        turns(
            java.util.stream.IntStream.range(0, 400)
                .mapToObj(i -> i % 2 == 0 ? "user" : "assistant")
                .toArray(String[]::new)));
    line(
        "too_long",
        turns(
            java.util.stream.IntStream.range(0, 2000)
                .mapToObj(i -> i % 2 == 0 ? "user" : "assistant")
                .toArray(String[]::new)));
    assertAnswers(Map.of());
  }

  @Test
  void images() throws Exception {
    JsonNode stated;
    try (InputStream in = BadInputTest.class.getResourceAsStream("/decode/expected.json")) {
      stated = JSON.readTree(in);
    }
    Path images = directory.resolve("images");
    Files.createDirectories(images);
    for (var entry : stated.properties()) {
      copyFixture(entry.getKey(), images.resolve(entry.getKey()));
      line(
          answer(entry.getValue()),
          entry.getKey(),
          "{\"image\":\"images/%s\",\"question\":\"q\",\"answer\":\"a\"}"
              .formatted(entry.getKey())
              .getBytes(UTF_8));
    }
    assertAnswers(Map.of("pack.max-tokens", "20000"));
  }

  private static String answer(JsonNode stated) {
    if (stated.has("reject")) {
      return stated.path("reject").asText();
    }
    int width = stated.path("width").asInt();
    int height = stated.path("height").asInt();
    boolean narrow = Math.max(width, height) > 200L * Math.min(width, height);
    return narrow ? "aspect_ratio" : WRITTEN;
  }
}
