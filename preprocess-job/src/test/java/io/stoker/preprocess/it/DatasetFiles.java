package io.stoker.preprocess.it;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.stoker.index.Dataset;
import io.stoker.index.DatasetParser;
import io.stoker.index.ShardEntry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The files of a dataset in a directory.
 *
 * @param root the directory
 * @param json the text of {@code dataset.json}
 * @param dataset what it says
 */
record DatasetFiles(Path root, String json, Dataset dataset) {
  // The job's id and the attempts' numbers are what may differ between equal datasets.
  private static final String JOB = "[0-9a-f]{12}(?=-p|\\.arrow)";
  private static final String ATTEMPT = "-a[0-9]+(?=-)";

  static DatasetFiles at(Path root) {
    try {
      byte[] json = Files.readAllBytes(root.resolve("dataset.json"));
      return new DatasetFiles(
          root,
          new String(json, StandardCharsets.UTF_8),
          DatasetParser.fromJson("dataset.json", json));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  byte[] bytes(String name) {
    try {
      return Files.readAllBytes(root.resolve(name));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  byte[] blockTable() {
    return bytes(dataset.blockTable().name());
  }

  List<String> shardNames() {
    return dataset.shards().stream().map(ShardEntry::name).toList();
  }

  /** The quarantine's lines, sorted, because the names of their objects depend on the job. */
  List<String> rejects() throws IOException {
    List<String> lines = new ArrayList<>();
    try (Stream<Path> files = Files.list(root.resolve("rejects"))) {
      for (Path file : files.toList()) {
        lines.addAll(Files.readAllLines(file));
      }
    }
    return lines.stream().sorted(Comparator.naturalOrder()).toList();
  }

  /** Everything that two datasets of the same content must agree on. */
  Map<String, String> content() throws IOException {
    Map<String, String> content = new TreeMap<>();
    content.put("dataset.json", json.replaceAll(JOB, "job").replaceAll(ATTEMPT, "-attempt"));
    content.put("block table", Sha256.hex(blockTable()));
    content.put("rejects", String.join("\n", rejects()));
    for (int i = 0; i < dataset.shards().size(); i++) {
      content.put("shard " + i, Sha256.hex(bytes(shardNames().get(i))));
    }
    return content;
  }

  /** Fails unless another dataset is the same one but for names. */
  void assertSameAs(DatasetFiles other) throws IOException {
    assertEquals(other.dataset.datasetId(), dataset.datasetId());
    Map<String, String> expected = other.content();
    Map<String, String> found = content();
    expected.forEach((part, value) -> assertEquals(value, found.get(part), part));
    assertEquals(expected.keySet(), found.keySet());
  }

  /** Path, time and hash of every file in a directory; empty when there is none. */
  static Map<String, String> snapshot(Path directory) throws IOException {
    Map<String, String> files = new TreeMap<>();
    if (Files.exists(directory)) {
      try (Stream<Path> tree = Files.walk(directory)) {
        for (Path file : tree.filter(Files::isRegularFile).toList()) {
          files.put(
              directory.relativize(file).toString(),
              Files.getLastModifiedTime(file) + " " + Sha256.hex(Files.readAllBytes(file)));
        }
      }
    }
    return files;
  }
}
