package io.stoker.preprocess.task;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.stoker.preprocess.commit.StagedPartition;
import io.stoker.preprocess.decode.DecodeSettings;
import io.stoker.preprocess.decode.Decoder;
import io.stoker.preprocess.decode.ImageHeader;
import io.stoker.preprocess.decode.ImageHeaders;
import io.stoker.preprocess.measure.Counts;
import io.stoker.preprocess.reject.SampleRejectedException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** All stages of one partition on real files, with the real model. */
class PartitionRunTest {
  private static final String LINE =
      "{\"id\":\"%s\",\"image\":\"%s.jpg\",\"conversations\":[{\"from\":\"human\",\"value\":\"<image>What?\"},{\"from\":\"gpt\",\"value\":\"This.\"}]}\n";

  private final Path directory;

  PartitionRunTest(@TempDir Path directory) {
    this.directory = directory;
  }

  @Test
  void theExamplesGiveWhatTheReferenceSays() throws Exception {
    CountingProgress progress = new CountingProgress();
    StagedPartition staged = ExampleJob.examples(directory, Map.of()).run(progress);
    Counts counts = staged.counts();
    assertEquals(30, counts.rows());
    assertEquals(27, counts.samples());
    assertEquals(
        Map.of("image_missing", 1L, "media_count_mismatch", 1L, "bad_json", 1L), counts.rejects());
    assertEquals(oracle("tokens"), counts.tokens());
    assertEquals(oracle("supervised_tokens"), counts.supervisedTokens());
    assertEquals(oracle("patches"), counts.patches());
    assertEquals(1, staged.shards().size());
    assertEquals(counts.bytesOut(), staged.shards().get(0).entry().bytes());
    assertEquals("rejects/job-p000000-a0.jsonl", staged.rejects());
    assertEquals(3, Files.readAllLines(directory.resolve("rejects/job-p000000-a0.jsonl")).size());
    assertEquals(27, progress.written);
    assertEquals(3, progress.rejected);
    assertEquals(counts.bytesOut(), progress.stored);
    assertEquals(2, files(directory).size(), () -> "nothing else is left: " + files(directory));
  }

  private static long oracle(String key) throws IOException {
    try (InputStream in =
        PartitionRunTest.class.getResourceAsStream("/text/examples-oracle.json")) {
      long sum = 0;
      for (JsonNode sample : new ObjectMapper().readTree(in).path("samples")) {
        sum += sample.path(key).asLong();
      }
      return sum;
    }
  }

  @Test
  void theBytesDoNotDependOnHowImagesAreFetchedOrResized() throws Exception {
    Map<String, String> one =
        Map.of("fetch.window", "1", "fetch.concurrency", "1", "vision.simd", "plain");
    Map<String, String> many =
        Map.of("fetch.window", "64", "fetch.concurrency", "16", "fetch.window-bytes", "1m");
    run(directory.resolve("one"), one);
    run(directory.resolve("many"), many);
    assertSameFiles(directory.resolve("one"), directory.resolve("many"));
    run(directory.resolve("other"), Map.of("text.labels", "finetune"));
    assertNotEquals(
        files(directory.resolve("one")).values().stream().map(Arrays::hashCode).toList(),
        files(directory.resolve("other")).values().stream().map(Arrays::hashCode).toList());
  }

  @Test
  void smallBlocksAndShardsHoldTheSame() throws Exception {
    Map<String, String> small =
        Map.of("block.bytes", "1k", "shard.max-bytes", "1m", "pack.enabled", "false");
    StagedPartition staged = ExampleJob.examples(directory, small).run(new CountingProgress());
    assertEquals(27, staged.counts().samples());
    assertEquals(27, staged.counts().packs());
    assertEquals(27, staged.shards().stream().mapToInt(shard -> shard.blocks().size()).sum());
    assertTrue(staged.shards().size() > 2, "several shards");
    for (int n = 0; n < staged.shards().size(); n++) {
      String name = staged.shards().get(n).entry().name();
      assertTrue(name.endsWith("-%03d.arrow".formatted(n)), name);
      assertEquals(staged.shards().get(n).entry().bytes(), Files.size(directory.resolve(name)));
    }
  }

  @Test
  void anImageThatIsCorruptBehindItsHeaderLeavesItsPackIntact() throws Exception {
    images("a", "bad", "b");
    StagedPartition with = runOf("with", "a", "bad", "b");
    StagedPartition without = runOf("without", "a", "b");
    assertEquals(Map.of("image_corrupt", 1L), with.counts().rejects());
    assertEquals(1, with.counts().packs());
    assertEquals(2, with.counts().samples());
    assertEquals(without.counts().tokens(), with.counts().tokens());
    assertEquals(without.counts().patches(), with.counts().patches());
    String shard = with.shards().get(0).entry().name();
    assertArrayEquals(
        Files.readAllBytes(directory.resolve("without").resolve(shard)),
        Files.readAllBytes(directory.resolve("with").resolve(shard)));
  }

  @Test
  void onlyUnusableSamplesGiveNoShard() throws Exception {
    images("bad");
    StagedPartition staged = runOf("only", "bad", "bad");
    assertEquals(List.of(), staged.shards());
    assertEquals(0, staged.counts().packs());
    assertEquals(0, staged.counts().patches());
    assertEquals(Map.of("image_corrupt", 2L), staged.counts().rejects());
    assertEquals(1, files(directory.resolve("only")).size(), "the rejects alone");
  }

  @Test
  void noRowsGiveNothing() throws Exception {
    images("a");
    ExampleJob job = job("none", "a");
    StagedPartition staged = new ExampleJob(job.spec(), List.of()).run(new CountingProgress());
    assertEquals(List.of(), staged.shards());
    assertNull(staged.rejects());
    assertEquals(0, staged.counts().rows());
  }

  @Test
  void aSampleLongerThanAPackIsRejected() throws Exception {
    images("a");
    Path manifest = directory.resolve("m.jsonl");
    Files.writeString(manifest, LINE.formatted("a", "a"));
    StagedPartition staged =
        ExampleJob.of(directory.resolve("out"), List.of(manifest), Map.of("pack.max-tokens", "100"))
            .run(new CountingProgress());
    assertEquals(Map.of("too_long", 1L), staged.counts().rejects());
  }

  @Test
  void aStoreThatFailsFailsTheTaskAndLeavesNothing() throws Exception {
    images("a");
    Path manifest = directory.resolve("m.jsonl");
    Files.writeString(
        manifest, LINE.formatted("a", "a") + LINE.formatted("b", "nosuchfs://host/b"));
    Map<String, String> settings =
        Map.of("image.allowed-roots", "nosuchfs://host", "pack.enabled", "false");
    ExampleJob job = ExampleJob.of(directory.resolve("out"), List.of(manifest), settings);
    IOException e = assertThrows(IOException.class, () -> job.run(new CountingProgress()));
    assertTrue(
        String.valueOf(e.getMessage()).startsWith("file:" + manifest + ":2: "), e.getMessage());
    assertEquals(Map.of(), files(directory.resolve("out")));
  }

  /** Copies of an example image; the one called bad ends in the middle of its pixels. */
  private void images(String... names) throws Exception {
    byte[] whole = Files.readAllBytes(ExampleJob.EXAMPLES.resolve("images/table/coffee.jpg"));
    byte[] cut = Arrays.copyOf(whole, whole.length / 2);
    DecodeSettings settings = DecodeSettings.defaults();
    ImageHeader header = ImageHeaders.read(cut, settings);
    try (Decoder decoder = new Decoder(settings)) {
      assertThrows(SampleRejectedException.class, () -> decoder.decode(cut, header));
    }
    for (String name : names) {
      Files.write(directory.resolve(name + ".jpg"), name.equals("bad") ? cut : whole);
    }
  }

  private StagedPartition runOf(String output, String... images) throws Exception {
    return job(output, images).run(new CountingProgress());
  }

  /** All images in one pack; the id of the dataset is the same for every manifest. */
  private ExampleJob job(String output, String... images) throws Exception {
    Path manifest = directory.resolve(output + ".jsonl");
    StringBuilder lines = new StringBuilder();
    for (String image : images) {
      lines.append(LINE.formatted(image, image));
    }
    Files.writeString(manifest, lines);
    ExampleJob job =
        ExampleJob.of(
            directory.resolve(output), List.of(manifest), Map.of("pack.max-tokens", "16384"));
    JobSpec s = job.spec();
    JobSpec sameId =
        new JobSpec(
            s.jobId(),
            "0123456789abcdef",
            s.output(),
            s.model(),
            s.vision(),
            s.stages(),
            s.manifestDirectories());
    return new ExampleJob(sameId, job.lines());
  }

  private static void run(Path output, Map<String, String> settings) throws Exception {
    assertEquals(
        27, ExampleJob.examples(output, settings).run(new CountingProgress()).counts().samples());
  }

  private static void assertSameFiles(Path expected, Path found) {
    Map<String, byte[]> first = files(expected);
    Map<String, byte[]> second = files(found);
    assertEquals(first.keySet(), second.keySet());
    first.forEach((name, bytes) -> assertArrayEquals(bytes, second.get(name), name));
  }

  private static Map<String, byte[]> files(Path directory) {
    Map<String, byte[]> files = new TreeMap<>();
    if (!Files.exists(directory)) {
      return files;
    }
    try (Stream<Path> all = Files.walk(directory)) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        files.put(directory.relativize(file).toString(), Files.readAllBytes(file));
      }
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return files;
  }
}
