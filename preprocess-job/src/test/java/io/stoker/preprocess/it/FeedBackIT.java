package io.stoker.preprocess.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Rejected rows, repaired, as the manifest of another job. */
@ExtendWith(Lab.Resolver.class)
class FeedBackIT {
  private final Lab lab;

  FeedBackIT(Lab lab) {
    this.lab = lab;
  }

  private Submission submission(String output, Path input) {
    return lab.submission(output)
        .quick()
        .direct()
        .master("local[1]")
        .set("input.manifests", input.toString());
  }

  @Test
  void aRepairedRowIsASampleAndItsOriginIsKept() throws IOException {
    Path corpus = Files.createDirectories(lab.path("feed-corpus"));
    Lab.copyTree(Lab.EXAMPLES.resolve("images"), corpus.resolve("images"));
    Files.copy(Lab.EXAMPLES.resolve("vqa.jsonl"), corpus.resolve("vqa.jsonl"));
    submission("feed-first", corpus.resolve("vqa.jsonl")).runExpecting(0);
    // The missing picture arrives.
    Files.copy(
        corpus.resolve("images/table/coins.jpg"),
        Files.createDirectories(corpus.resolve("images/animals")).resolve("no_such_cat.jpg"));
    Path rejects = lab.path("feed-first").resolve("rejects");

    // This job may not read the place that the rows came from.
    submission("feed-refused", rejects).runExpecting(6);
    List<String> refused;
    try (var files = Files.list(lab.path("feed-refused").resolve("rejects"))) {
      refused = Files.readAllLines(files.findFirst().orElseThrow());
    }
    JsonNode row =
        refused.stream()
            .map(FeedBackIT::json)
            .filter(json -> json.path("record").asText().contains("no_such_cat"))
            .findFirst()
            .orElseThrow();
    assertEquals("path_not_allowed", row.path("reason").asText());
    assertTrue(row.path("detail").asText().contains("image.allowed-roots"), row::toString);
    assertEquals("file:" + corpus.resolve("vqa.jsonl"), row.path("manifest").asText());
    assertEquals(17, row.path("line").asInt());

    submission("feed-second", rejects)
        .set("image.allowed-roots", corpus.toString())
        .runExpecting(0);
    DatasetFiles files = DatasetFiles.at(lab.path("feed-second"));
    assertEquals(1, files.dataset().counts().samples());
    assertEquals(
        Map.of("bad_json", 1L, "media_count_mismatch", 1L), files.dataset().counts().rejects());
    assertEquals(
        List.of(18, 19),
        files.rejects().stream().map(line -> json(line).path("line").asInt()).sorted().toList());
  }

  private static JsonNode json(String line) {
    try {
      return new ObjectMapper().readTree(line);
    } catch (IOException e) {
      throw new AssertionError(line, e);
    }
  }
}
