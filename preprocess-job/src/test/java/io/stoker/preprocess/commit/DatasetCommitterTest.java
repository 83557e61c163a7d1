package io.stoker.preprocess.commit;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.stoker.format.PixelLayout;
import io.stoker.index.BlockEntry;
import io.stoker.index.BlockTable;
import io.stoker.index.Dataset;
import io.stoker.index.DatasetParser;
import io.stoker.index.ShardEntry;
import io.stoker.index.ValueTable;
import io.stoker.preprocess.measure.Counts;
import io.stoker.preprocess.measure.StageTimes;
import io.stoker.preprocess.shard.Attempt;
import io.stoker.preprocess.shard.StagedShard;
import io.stoker.preprocess.store.CommitStateUnknownException;
import io.stoker.preprocess.store.OutputStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Commits on local files; shards are empty files, the committer never looks into them. */
class DatasetCommitterTest {
  private static final String ID = "0123456789abcdef";
  private static final String OTHER_ID = "fedcba9876543210";
  private static final RejectLimits NO_REJECTS = new RejectLimits(0, 0);

  private final Path directory;
  private final OutputStore store;

  DatasetCommitterTest(@TempDir Path directory) throws IOException {
    this.directory = directory;
    this.store = new OutputStore(directory.toString(), new Configuration(false));
  }

  @Test
  void partitionsInAnyOrderBecomeOneDataset() throws Exception {
    List<StagedPartition> partitions =
        List.of(partition(2, 1, 0), partition(0, 2, 0), partition(1, 0, 3));
    Dataset dataset = committer("job", new RejectLimits(0, 3)).commit(partitions, 6);
    assertEquals(
        List.of(shard(0, 0), shard(0, 1), shard(2, 0)),
        dataset.shards().stream().map(ShardEntry::name).toList());
    assertEquals(3, dataset.counts().samples());
    assertEquals(Map.of("bad_json", 3L), dataset.counts().rejects());
    byte[] json = requireNonNull(store.read("dataset.json"));
    assertEquals(dataset, DatasetParser.fromJson("dataset.json", json));
    ByteBuffer table = ByteBuffer.wrap(requireNonNull(store.read("blocks-job.arrow")));
    BlockTable blocks = BlockTable.open(dataset, table);
    blocks.verify();
    assertEquals(3, blocks.blocks());
    assertTrue(files().keySet().contains("rejects/job-p000001-a7.jsonl"));
  }

  @Test
  void anotherJobThatWasFirstKeepsEverythingAndThisOneLeavesNothing() throws Exception {
    committer("winner", NO_REJECTS).commit(List.of(partition("winner", 0, 2, 0)), 2);
    Map<String, FileTime> before = files();
    List<StagedPartition> mine = List.of(partition("loser", 0, 1, 0), partition("loser", 1, 0, 1));
    CommitException e =
        assertThrows(
            CommitException.class,
            () -> committer("loser", OTHER_ID, new RejectLimits(0, 1)).commit(mine, 2));
    assertEquals(CommitException.Kind.LOST, e.kind());
    assertEquals(
        "another job published the dataset %s at file:%s first: its files were left alone, those of this job's own were removed"
            .formatted(ID, directory),
        e.getMessage());
    Map<String, FileTime> after = files();
    // The winner has not written its report yet, and will remove what is not its own.
    after.remove("rejects/loser-p000001-a7.jsonl");
    assertEquals(before, after);
  }

  @Test
  void shardsThatBothJobsReferToAreTheWinners() throws Exception {
    StagedPartition shared = partition("first", 0, 1, 0);
    committer("winner", NO_REJECTS).commit(List.of(shared, partition("winner", 1, 1, 0)), 2);
    Map<String, FileTime> before = files();
    CommitException e =
        assertThrows(
            CommitException.class,
            () ->
                committer("loser", NO_REJECTS)
                    .commit(List.of(shared, partition("loser", 1, 1, 0)), 2));
    assertEquals(CommitException.Kind.LOST, e.kind());
    assertTrue(
        String.valueOf(e.getMessage()).startsWith("another job published this very dataset at "),
        e.getMessage());
    assertEquals(before, files());
  }

  @Test
  void accountsThatDoNotBalanceAreRefused() throws IOException {
    List<StagedPartition> one = List.of(partition(0, 2, 1));
    assertFails(
        CommitException.Kind.ACCOUNTS,
        "the accounts do not balance: 4 manifest rows, but 3 taken, 2 written and 1 rejected",
        one,
        4);
    StagedPartition good = partition(0, 2, 0);
    Counts lost = new Counts(3, 2, 2, 20, 2, 0, 0, 0, Map.of());
    assertFails(
        CommitException.Kind.ACCOUNTS,
        "the accounts do not balance: 3 manifest rows, but 3 taken, 2 written and 0 rejected",
        List.of(new StagedPartition(0, good.shards(), null, lost, StageTimes.none())),
        3);
  }

  @ParameterizedTest
  @CsvSource({"0, 0, 0, 1", "0, 2, 2, 1", "1, 2, 1, 0"})
  void everyPartitionBelongsInOnce(int first, int second, int found, int place) throws IOException {
    assertFails(
        CommitException.Kind.ACCOUNTS,
        "expected each partition once, found %d where %d belongs".formatted(found, place),
        List.of(partition(first, 1, 0), partition(second, 1, 0)),
        2);
  }

  @Test
  void moreRejectsThanToleratedAreRefusedAndNamed() throws IOException {
    List<StagedPartition> partitions = List.of(partition(0, 97, 2), partition(1, 0, 1));
    assertFails(
        CommitException.Kind.REJECTS,
        "3 of 100 rows were rejected {bad_json=3}, 2 are tolerated (rejects.max-fraction, rejects.min-tolerated); see file:%s/rejects"
            .formatted(directory),
        partitions,
        100,
        new RejectLimits(0.02, 1));
  }

  @Test
  void aDatasetWithoutSamplesIsRefused() throws IOException {
    assertFails(
        CommitException.Kind.EMPTY,
        "none of the 3 rows could be used {bad_json=3}; see file:%s/rejects".formatted(directory),
        List.of(partition(0, 0, 3)),
        3,
        new RejectLimits(0, 100));
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0, 1000, 0",
    "0, 5, 1000, 5",
    "0.01, 0, 99, 0",
    "0.01, 0, 100, 1",
    "0.01, 0, 199, 1",
    "0.29, 0, 100, 29",
    "0.07, 0, 100, 7",
    "0.01, 3, 299, 3",
    "0.01, 3, 400, 4",
    "1, 0, 7, 7",
    "0.000001, 0, 3000000000, 3000"
  })
  void theShareIsRoundedDownInDecimal(double fraction, long min, long rows, long tolerated) {
    assertEquals(tolerated, new RejectLimits(fraction, min).tolerated(rows));
  }

  @Test
  void anUnknownOutcomeRemovesNothing() throws Exception {
    StagedPartition partition = partition(0, 1, 0);
    // A directory of that name: it can be neither created nor read.
    Files.createDirectories(directory.resolve("dataset.json/x"));
    Map<String, FileTime> before = files();
    IOException e =
        assertThrows(
            CommitStateUnknownException.class,
            () -> committer("job", NO_REJECTS).commit(List.of(partition), 1));
    assertTrue(String.valueOf(e.getMessage()).contains("nothing was removed"), e.getMessage());
    Map<String, FileTime> after = files();
    assertNotNull(after.remove("blocks-job.arrow"));
    assertEquals(before, after);
  }

  private void assertFails(
      CommitException.Kind kind, String message, List<StagedPartition> partitions, long rows)
      throws IOException {
    assertFails(kind, message, partitions, rows, new RejectLimits(1, 0));
  }

  private void assertFails(
      CommitException.Kind kind,
      String message,
      List<StagedPartition> partitions,
      long rows,
      RejectLimits limits)
      throws IOException {
    Map<String, FileTime> before = files();
    CommitException e =
        assertThrows(
            CommitException.class, () -> committer("job", limits).commit(partitions, rows));
    assertEquals(message, e.getMessage());
    assertEquals(kind, e.kind());
    // With other limits a next run finds the shards where they are.
    assertEquals(before, files());
  }

  private DatasetCommitter committer(String jobId, RejectLimits limits) {
    return committer(jobId, ID, limits);
  }

  private DatasetCommitter committer(String jobId, String datasetId, RejectLimits limits) {
    DatasetDraft draft =
        new DatasetDraft(
            datasetId,
            jobId,
            "stoker test",
            PixelLayout.UINT8,
            ValueTable.of(new float[ValueTable.CHANNELS][ValueTable.VALUES]),
            Map.of("tokenizer", "aa"),
            Map.of("pack.window", "512"));
    return new DatasetCommitter(store, draft, limits);
  }

  private static String shard(int partition, int n) {
    return new Attempt("job", partition, 7).shardName(n);
  }

  private StagedPartition partition(int partition, int samples, int rejected) throws IOException {
    return partition("job", partition, samples, rejected);
  }

  /** One shard of one block of one pack of one sample each; its objects exist. */
  private StagedPartition partition(String jobId, int partition, int samples, int rejected)
      throws IOException {
    Attempt attempt = new Attempt(jobId, partition, 7);
    List<StagedShard> shards = new ArrayList<>();
    for (int n = 0; n < samples; n++) {
      touch(attempt.shardName(n));
      shards.add(
          new StagedShard(
              new ShardEntry(attempt.shardName(n), 1024, n, 1),
              List.of(new BlockEntry(512, 128, 1, 1, 10, 4, n))));
    }
    String rejects = null;
    Map<String, Long> reasons = Map.of();
    if (rejected > 0) {
      rejects = attempt.rejectsName();
      touch(rejects);
      reasons = Map.of("bad_json", (long) rejected);
    }
    Counts counts =
        new Counts(
            samples + rejected,
            samples,
            samples,
            10L * samples,
            samples,
            4L * samples,
            0,
            0,
            reasons);
    return new StagedPartition(partition, shards, rejects, counts, StageTimes.none());
  }

  private void touch(String name) throws IOException {
    Files.createDirectories(directory.resolve(name).getParent());
    Files.write(directory.resolve(name), new byte[0]);
  }

  private Map<String, FileTime> files() throws IOException {
    Map<String, FileTime> files = new TreeMap<>();
    try (Stream<Path> all = Files.walk(directory)) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        files.put(directory.relativize(file).toString(), Files.getLastModifiedTime(file));
      }
    }
    return files;
  }
}
