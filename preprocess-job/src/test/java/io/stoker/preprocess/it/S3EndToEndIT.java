package io.stoker.preprocess.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.stoker.index.DatasetCounts;
import io.stoker.preprocess.it.CountingRelay.Exchange;
import io.stoker.store.StoreOptions;
import java.io.IOException;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One job whose manifests, images, model and dataset are on S3, looked at from all sides. */
@ExtendWith(Lab.Resolver.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class S3EndToEndIT {
  private static final String BUCKET = "corpus";
  private static final String ROOT = "s3://" + BUCKET + "/v1";
  private static final String DATASET = "s3://" + BUCKET + "/sets/v1";

  private final Lab lab;
  private final List<Exchange> exchanges = new ArrayList<>();
  private String printed = "";

  S3EndToEndIT(Lab lab) {
    this.lab = lab;
  }

  @BeforeAll
  void submit() throws IOException {
    S3Server server = lab.server();
    server.upload(Lab.EXAMPLES, BUCKET, "v1");
    try (CountingRelay relay = CountingRelay.start(server.port())) {
      Submission submission =
          new Submission(lab.processes())
              .input(ROOT)
              .output(DATASET)
              .master("local[2]")
              .environment(lab.s3Environment(relay.port()));
      printed = submission.runExpecting(0).toString();
      exchanges.addAll(relay.exchanges());
    }
  }

  @AfterAll
  void remove() {
    System.clearProperty("aws.accessKeyId");
    System.clearProperty("aws.secretAccessKey");
  }

  private DatasetFiles files() {
    return DatasetFiles.at(lab.server().bucket(BUCKET).resolve("sets/v1"));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void readersGetTheReferencesSamplesFromTheStore(int worldSize) throws IOException {
    // The SDK's chain looks here first.
    System.setProperty("aws.accessKeyId", S3Server.ID);
    System.setProperty("aws.secretAccessKey", S3Server.SECRET);
    Map<String, String> store =
        Map.of(StoreOptions.S3_ENDPOINT, S3Server.endpoint(lab.server().port()));
    Oracle.assertReproduced(
        FinishedSamples.read(URI.create(DATASET), worldSize, store),
        files().dataset().valueTable());
  }

  @Test
  void rejectedLinesAreKeptWithReasonPlaceAndContent() throws IOException {
    String manifest = "s3a" + ROOT.substring(2) + "/vqa.jsonl";
    List<String> lines = Files.readAllLines(Lab.EXAMPLES.resolve("vqa.jsonl"));
    Map<Integer, String> reasons =
        Map.of(17, "image_missing", 18, "media_count_mismatch", 19, "bad_json");
    Set<List<Object>> expected = new HashSet<>();
    reasons.forEach(
        (line, reason) ->
            expected.add(
                List.of(
                    reason,
                    manifest,
                    line,
                    lines.stream().limit(line - 1).mapToLong(S3EndToEndIT::bytesWithLineEnd).sum(),
                    lines.get(line - 1))));
    Set<List<Object>> found = new HashSet<>();
    List<String> details = new ArrayList<>();
    for (String reject : files().rejects()) {
      JsonNode json = new ObjectMapper().readTree(reject);
      details.add(json.path("detail").asText());
      found.add(
          List.of(
              json.path("reason").asText(),
              json.path("manifest").asText(),
              json.path("line").asInt(),
              json.path("offset").asLong(),
              json.path("record").asText()));
    }
    assertEquals(expected, found);
    assertEquals(3, details.size());
    assertTrue(
        details.contains("expected as many tags as media, found 2 tags and 1 media"),
        details::toString);
    assertTrue(
        details.contains("no object at s3a://corpus/v1/images/animals/no_such_cat.jpg"),
        details::toString);
  }

  private static long bytesWithLineEnd(String line) {
    return line.getBytes(StandardCharsets.UTF_8).length + 1L;
  }

  @Test
  void indexAndReportHoldTheAccounts() throws IOException {
    DatasetFiles files = files();
    DatasetCounts counts = files.dataset().counts();
    assertEquals(
        DatasetCounts.of(
            Oracle.SAMPLES,
            9,
            Oracle.TOKENS,
            Oracle.SUPERVISED_TOKENS,
            Oracle.PATCHES,
            Oracle.REJECTS),
        counts);
    JsonNode report = new ObjectMapper().readTree(files.bytes("report.json"));
    assertEquals(files.dataset().datasetId(), report.path("dataset-id").asText());
    assertEquals("s3a" + DATASET.substring(2), report.path("dataset").asText());
    assertEquals(30, report.path("rows").asInt());
    assertEquals(Oracle.SAMPLES, report.path("samples").asInt());
    assertEquals(3, report.path("rejected").asInt());
    assertEquals(
        Oracle.REJECTS,
        new ObjectMapper().convertValue(report.path("rejects"), RejectCounts.class));
    assertEquals(counts.packs(), report.path("packs").asLong());
    assertEquals(counts.tokens(), report.path("tokens").asLong());
    assertEquals(counts.supervisedTokens(), report.path("supervised-tokens").asLong());
    assertEquals(counts.patches(), report.path("patches").asLong());
    assertEquals(
        counts.tokens() / (9 * 1100.0), report.path("packing-efficiency").asDouble(), 1e-9);
    assertEquals(files.dataset().shards().size(), report.path("shards").asInt());
    assertEquals(files.dataset().blocks(), report.path("blocks").asLong());
    assertEquals(
        imageFetches().values().stream().mapToLong(Long::longValue).sum(),
        report.path("bytes-in").asLong());
    assertEquals(
        files.dataset().shards().stream().mapToLong(shard -> shard.bytes()).sum(),
        report.path("bytes-out").asLong());
    double shares = 0;
    for (JsonNode stage : report.path("stages")) {
      shares += stage.path("share").asDouble();
    }
    assertEquals(1, shares, 1e-6);
    assertTrue(report.path("stages").has(report.path("bottleneck").asText()), report::toString);
    assertTrue(report.path("task-seconds").asDouble() > 0, report::toString);
    assertTrue(
        report.path("task-seconds").asDouble() < report.path("wall-seconds").asDouble(),
        report::toString);
    assertTrue(printed.lines().anyMatch(line -> line.matches(" *samples +27")), printed);
    String page = new String(files.bytes("report.html"), StandardCharsets.UTF_8);
    assertTrue(page.contains("<td>samples</td><td>27</td>"), page);
  }

  /** Reason code to count; JSON has no longs of its own. */
  static final class RejectCounts extends TreeMap<String, Long> {
    private static final long serialVersionUID = 1L;
  }

  @Test
  void everyImageIsOneGetOfItsLengthAndNoHead() throws IOException {
    Map<String, List<String>> requests = new TreeMap<>();
    for (Exchange exchange : exchanges) {
      String key = key(exchange);
      if (key.startsWith("v1/images/")) {
        requests
            .computeIfAbsent(key, name -> new ArrayList<>())
            .add(exchange.method() + " " + exchange.status() + " " + exchange.bodyBytes());
      }
    }
    // An image is fetched once for every sample that names it.
    Map<String, List<String>> expected = new TreeMap<>();
    references()
        .forEach(
            (key, count) -> {
              Path file = lab.server().bucket(BUCKET).resolve(key);
              String one = Files.exists(file) ? "GET 200 " + size(file) : "GET 404";
              expected.put(key, Stream.generate(() -> one).limit(count).toList());
            });
    requests.replaceAll(
        (key, list) -> list.stream().map(r -> r.startsWith("GET 404") ? "GET 404" : r).toList());
    assertEquals(expected, requests);
  }

  /** Bytes of images that were fetched for samples that were written. */
  private Map<String, Long> imageFetches() throws IOException {
    Map<String, Long> bytes = new TreeMap<>();
    references()
        .forEach(
            (key, count) -> {
              Path file = lab.server().bucket(BUCKET).resolve(key);
              if (Files.exists(file)) {
                bytes.put(key, count * size(file));
              }
            });
    return bytes;
  }

  /** How often the good lines and the one with the missing image name each image. */
  private static Map<String, Integer> references() throws IOException {
    Map<String, Integer> references = new TreeMap<>();
    ObjectMapper mapper = new ObjectMapper();
    for (String manifest : List.of("vqa.jsonl", "chat.jsonl", "sharegpt.jsonl")) {
      for (String line : Files.readAllLines(Lab.EXAMPLES.resolve(manifest))) {
        if (line.contains("bad-media-count") || line.contains("\"bad-json\"")) {
          continue;
        }
        List<String> names = new ArrayList<>();
        JsonNode json = mapper.readTree(line);
        json.findValuesAsText("image", names);
        json.findValuesAsText("url", names);
        json.path("images").forEach(image -> names.add(image.asText()));
        for (String name : new TreeSet<>(names)) {
          references.merge(
              "v1/" + name, (int) names.stream().filter(name::equals).count(), Integer::sum);
        }
      }
    }
    return references;
  }

  private static long size(Path file) {
    try {
      return Files.size(file);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  /**
   * The object's key; keys of the examples have no plus sign, which the decoder would take away.
   */
  private static String key(Exchange exchange) {
    String path = exchange.path().split("\\?", 2)[0];
    String prefix = "/" + BUCKET + "/";
    return path.startsWith(prefix)
        ? URLDecoder.decode(path.substring(prefix.length()), StandardCharsets.UTF_8)
        : "";
  }

  @Test
  void nothingElseIsLeftInTheBucket() throws IOException {
    DatasetFiles files = files();
    List<String> expected = new ArrayList<>(files.shardNames());
    expected.addAll(
        List.of("dataset.json", "report.html", "report.json", files.dataset().blockTable().name()));
    List<String> found = new ArrayList<>(DatasetFiles.snapshot(files.root()).keySet());
    found.removeIf(name -> name.startsWith("rejects/"));
    assertEquals(new TreeSet<>(expected), new TreeSet<>(found));
  }
}
