package io.stoker.preprocess.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.stoker.index.BlockEntry;
import io.stoker.index.ShardEntry;
import io.stoker.preprocess.commit.StagedPartition;
import io.stoker.preprocess.manifest.Manifest;
import io.stoker.preprocess.manifest.ManifestLine;
import io.stoker.preprocess.manifest.ManifestReader.SplitSummary;
import io.stoker.preprocess.manifest.Provenance;
import io.stoker.preprocess.manifest.Split;
import io.stoker.preprocess.measure.Counts;
import io.stoker.preprocess.measure.Stage;
import io.stoker.preprocess.measure.StageTimes;
import io.stoker.preprocess.reject.RejectReason;
import io.stoker.preprocess.sample.Rejection;
import io.stoker.preprocess.shard.Attempt;
import io.stoker.preprocess.shard.StagedShard;
import io.stoker.preprocess.spark.ManifestScan.ScanSplit;
import io.stoker.preprocess.spark.ManifestScan.ScannedSplit;
import io.stoker.preprocess.task.ExampleJob;
import io.stoker.preprocess.task.JobSpec;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.lang.reflect.RecordComponent;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Everything that crosses Spark survives Java's serialisation. */
class SerializationTest {
  private static final Manifest MANIFEST = new Manifest("s3a://b/m.jsonl", 1000);
  private static final ManifestLine LINE =
      new ManifestLine(new Provenance("s3a://b/m.jsonl", 4711, 12), new byte[] {1, -1}, false);

  static Stream<Object> values() {
    StagedShard shard =
        new StagedShard(
            new ShardEntry("shards/00/a.arrow", 1024, 7, 1),
            List.of(new BlockEntry(512, 128, 1, 2, 10, 4, 9)));
    Counts counts = new Counts(9, 8, 7, 6, 5, 4, 3, 2, Map.of("bad_json", 1L));
    StageTimes times = new StageTimes(Map.of(Stage.DECODE, 5L, Stage.TEXT, 6L));
    return Stream.of(
        MANIFEST,
        LINE.provenance(),
        new Split(3, MANIFEST, 10, 20, 5),
        new SplitSummary(5, 4, "00ff"),
        new ScannedSplit(new Split(3, MANIFEST, 10, 20, 5), new SplitSummary(5, 4, "00ff")),
        new ScanSplit.Result(new SplitSummary(5, 4, "00ff"), null),
        new ScanSplit.Result(null, "manifest refused"),
        ShuffleKey.of(1, 2, 3, 4),
        new ScanSplit(5),
        new Attempt("job", 1, 2),
        counts,
        times,
        shard,
        new StagedPartition(3, List.of(shard), "rejects/a.jsonl", counts, times),
        new StagedPartition(3, List.of(), null, counts, times));
  }

  @ParameterizedTest
  @MethodSource("values")
  void equalsItself(Object value) throws Exception {
    assertEquals(value, copy(value));
  }

  @Test
  void linesAndRejectionsKeepTheirBytes() throws Exception {
    assertSameLine(LINE, copy(LINE));
    Rejection rejection = copy(new Rejection(RejectReason.BAD_JSON, "expected \u202E", LINE));
    assertSame(RejectReason.BAD_JSON, rejection.reason());
    assertEquals("expected \u202E", rejection.detail());
    assertSameLine(LINE, rejection.line());
  }

  private static void assertSameLine(ManifestLine expected, ManifestLine found) {
    assertEquals(expected.provenance(), found.provenance());
    assertArrayEquals(expected.bytes(), found.bytes());
    assertEquals(expected.ended(), found.ended());
  }

  @Test
  void theJobSpecArrivesWhole(@TempDir Path directory) throws Exception {
    JobSpec spec = ExampleJob.examples(directory, Map.of("image.formats", "png,jpeg")).spec();
    JobSpec copy = copy(spec);
    for (RecordComponent component : JobSpec.class.getRecordComponents()) {
      if (!component.getName().equals("model")) {
        assertEquals(
            component.getAccessor().invoke(spec),
            component.getAccessor().invoke(copy),
            component.getName());
      }
    }
    assertEquals(spec.model().source(), copy.model().source());
    assertEquals(spec.model().fingerprints(), copy.model().fingerprints());
    for (String file : spec.model().files().keySet()) {
      assertArrayEquals(spec.model().file(file), copy.model().file(file), file);
    }
  }

  @Test
  void executorHalvesTravel() throws Exception {
    PartitionPlan plan = new PartitionPlan(100, 10, Set.of(3));
    assertEquals(plan, copy(plan));
    assertFalse(copy(plan).isOpen(3));
    assertEquals(10, copy(plan).numPartitions());
    // It has no equals; Spark needs it written and read only.
    for (Object half : List.of(new ReadSplit(5, 1, new long[] {2}, plan))) {
      assertSame(half.getClass(), copy(half).getClass());
    }
  }

  /** What every task sends to the driver: ten million rows are some 12,000 blocks. */
  @Test
  void aPartitionsRecordIsSmallWhateverThePartition() throws Exception {
    int blocks = 1000;
    List<BlockEntry> entries = new ArrayList<>();
    for (int i = 0; i < blocks; i++) {
      entries.add(
          new BlockEntry(512L + 8192L * i, 8192, 4, 40 + i % 7, 16_000 + i, 60_000L + i, i));
    }
    StagedShard shard =
        new StagedShard(new ShardEntry("shards/00/a.arrow", 1L << 30, 7, blocks), entries);
    Counts counts = new Counts(9, 8, 7, 6, 5, 4, 3, 2, Map.of("bad_json", 1L));
    byte[] bytes =
        write(new StagedPartition(3, List.of(shard), null, counts, new StageTimes(Map.of())));
    assertTrue(bytes.length < 64 * blocks, "bytes: " + bytes.length);
  }

  /** A record cannot come back in a state that its constructor forbids. */
  @Test
  void whatArrivesIsCheckedAgain() throws Exception {
    byte[] bytes = write(new Split(3, MANIFEST, 10, 20, 5));
    byte[] from = {0, 0, 0, 0, 0, 0, 0, 20};
    int at = indexOf(bytes, from);
    bytes[at + 7] = 9;
    assertThrows(IOException.class, () -> read(bytes));
  }

  private static int indexOf(byte[] bytes, byte[] part) {
    for (int i = 0; i + part.length <= bytes.length; i++) {
      if (Arrays.equals(bytes, i, i + part.length, part, 0, part.length)) {
        return i;
      }
    }
    throw new AssertionError("no such bytes");
  }

  private static byte[] write(Object value) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(value);
    }
    return bytes.toByteArray();
  }

  private static Object read(byte[] bytes) throws IOException, ClassNotFoundException {
    try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
      return in.readObject();
    }
  }

  @SuppressWarnings("unchecked")
  private static <T> T copy(T value) throws IOException, ClassNotFoundException {
    return (T) read(write(value));
  }
}
