package io.stoker.preprocess.commit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.stoker.index.BlockEntry;
import io.stoker.index.ShardEntry;
import io.stoker.preprocess.measure.Counts;
import io.stoker.preprocess.measure.Stage;
import io.stoker.preprocess.measure.StageTimes;
import io.stoker.preprocess.shard.Attempt;
import io.stoker.preprocess.shard.StagedShard;
import io.stoker.preprocess.store.OutputStore;
import io.stoker.preprocess.store.OutputStore.StoredObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What finished tasks leave for a job that is submitted again, and what nobody needs. */
class StagingAreaTest {
  private static final Counts COUNTS =
      new Counts(9, 7, 5, 400, 30, 20, 1L << 40, 100, Map.of("bad_json", 1L, "too_long", 1L));

  private final Path directory;
  private final OutputStore store;
  private final StagingArea staging;

  StagingAreaTest(@TempDir Path directory) throws IOException {
    this.directory = directory;
    this.store = new OutputStore(directory.toString(), new Configuration(false));
    this.staging = new StagingArea(store, "0123");
  }

  /** A partition whose two shards and rejects exist, of 5 bytes each. */
  private StagedPartition partition(int partition, long attempt) throws IOException {
    Attempt names = new Attempt("job", partition, attempt);
    for (String name : List.of(names.shardName(0), names.shardName(1), names.rejectsName())) {
      assertTrue(store.createIfAbsent(name, "12345".getBytes(UTF_8)));
    }
    BlockEntry block = new BlockEntry(512, 128, 1, 2, 10, 4, 0xFFFFFFFFL);
    return new StagedPartition(
        partition,
        List.of(
            new StagedShard(new ShardEntry(names.shardName(0), 5, 0xFFFFFFFFL, 1), List.of(block)),
            new StagedShard(new ShardEntry(names.shardName(1), 5, 0, 2), List.of(block, block))),
        names.rejectsName(),
        COUNTS,
        new StageTimes(Map.of(Stage.DECODE, 5L)));
  }

  @Test
  void aRecordSaysAllThatTheCommitNeeds() throws IOException {
    StagedPartition first = staging.record(partition(0, 1));
    StagedPartition second = staging.record(partition(300, 1));
    Map<Integer, StagedPartition> finished = new StagingArea(store, "0123").finished();
    assertEquals(List.of(0, 300), List.copyOf(finished.keySet()));
    assertSame(first, requireNonNull(finished.get(0)));
    assertSame(second, requireNonNull(finished.get(300)));
    assertEquals(Map.of(), new StagingArea(store, "4567").finished());
  }

  @Test
  void aPartitionWithoutRowsIsARecordToo() throws IOException {
    StagedPartition empty =
        new StagedPartition(1, List.of(), null, Counts.none(), StageTimes.none());
    staging.record(empty);
    assertSame(empty, requireNonNull(staging.finished().get(1)));
  }

  private static void assertSame(StagedPartition expected, StagedPartition found) {
    assertEquals(expected.partition(), found.partition());
    assertEquals(expected.shards(), found.shards());
    assertEquals(expected.rejects(), found.rejects());
    assertEquals(expected.counts(), found.counts());
    for (Stage stage : Stage.values()) {
      assertEquals(expected.times().seconds(stage), found.times().seconds(stage));
    }
  }

  @Test
  void theFirstAttemptCountsAndALaterOneRemovesItsOwn() throws IOException {
    StagedPartition first = staging.record(partition(0, 1));
    StagedPartition later = partition(0, 2);
    assertSame(first, staging.record(later));
    assertEquals(5, store.length(first.shards().get(0).entry().name()));
    assertEquals(5, store.length(requireNonNull(first.rejects())));
    for (StagedShard shard : later.shards()) {
      assertEquals(-1, store.length(shard.entry().name()));
    }
    assertEquals(-1, store.length(requireNonNull(later.rejects())));
  }

  /** A host that went down may leave such records; the job removes them by itself. */
  @Test
  void anEmptyOrCutRecordDoesNotCount() throws IOException {
    staging.record(partition(0, 1));
    staging.record(partition(1, 1));
    staging.record(partition(2, 1));
    List<StoredObject> records =
        store.list("").stream().filter(o -> StagingArea.isRecord(o.name())).toList();
    assertEquals(3, records.size());
    byte[] whole = requireNonNull(store.read(records.get(1).name()));
    store.replace(records.get(0).name(), new byte[0]);
    store.replace(records.get(1).name(), java.util.Arrays.copyOf(whole, whole.length / 2));
    var unused = new OrphanFinder(store).olderThan(java.time.Instant.EPOCH);
    assertEquals(1, staging.finished().size());
    assertEquals(1, store.list("").stream().filter(o -> StagingArea.isRecord(o.name())).count());
  }

  @Test
  void aRecordWhoseShardsAreGoneOrShortDoesNotCount() throws IOException {
    StagedPartition gone = staging.record(partition(0, 1));
    StagedPartition changed = staging.record(partition(1, 1));
    staging.record(partition(2, 1));
    store.delete(gone.shards().get(1).entry().name());
    String name = changed.shards().get(0).entry().name();
    store.delete(name);
    store.createIfAbsent(name, "1234".getBytes(UTF_8));
    assertEquals(List.of(2), List.copyOf(staging.finished().keySet()));
    assertNull(store.read("_staging/0123/p000000.json"), "it may be recorded again");
    staging.record(partition(0, 3));
    assertEquals(List.of(0, 2), List.copyOf(staging.finished().keySet()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "[]", "{\"partition\":0", "{\"partition\":0}", "null"})
  void whatIsNoRecordDoesNotCount(String content) throws IOException {
    store.createIfAbsent("_staging/0123/p000007.json", content.getBytes(UTF_8));
    assertEquals(Map.of(), staging.finished());
    staging.record(partition(7, 1));
    assertEquals(List.of(7), List.copyOf(staging.finished().keySet()));
  }

  @Test
  void workOfOthersIsKnownAndCanBeCleared() throws IOException {
    staging.record(partition(0, 1));
    StagingArea other = new StagingArea(store, "4567");
    other.record(partition(1, 1));
    other.record(partition(2, 1));
    // A job began here, but it left nothing that would be lost.
    new StagingArea(store, "89ab").begin("job");
    assertEquals(List.of("4567"), staging.others());
    staging.clearOthers();
    assertEquals(List.of(), staging.others());
    assertEquals(1, staging.finished().size());
    staging.clear();
    assertEquals(Map.of(), staging.finished());
    assertEquals(List.of(), store.list("_staging"));
  }

  @Test
  void whatNoDatasetRefersToIsAnOrphan() throws IOException {
    StagedPartition partition = staging.record(partition(0, 1));
    store.createIfAbsent("notes.txt", new byte[1]);
    store.createIfAbsent("blocks-f00d.arrow", new byte[1]);
    for (String foreign : List.of("rejects/repaired.jsonl", "shards/mine.arrow", "shards/00/a")) {
      store.createIfAbsent(foreign, new byte[1]);
    }
    Instant tomorrow = Instant.now().plusSeconds(86_400);
    List<String> orphans = orphans(tomorrow);
    assertEquals(5, orphans.size(), orphans::toString);
    assertNotNull(partition.rejects());
    assertTrue(orphans.contains(partition.rejects()));
    assertTrue(orphans.contains("_staging/0123/p000000.json"));
    assertTrue(orphans.contains("blocks-f00d.arrow"));
    assertEquals(List.of(), orphans(Instant.now().minusSeconds(3600)), "they may be in use");
  }

  @Test
  void whatAJobOfTodayBuildsOnIsNone() throws IOException {
    StagedPartition old = staging.record(partition(0, 1));
    new StagingArea(store, "4567").record(partition(1, 2));
    Instant week = Instant.now().minus(Duration.ofDays(7));
    for (StoredObject object : store.list("")) {
      Files.setLastModifiedTime(directory.resolve(object.name()), FileTime.from(week));
    }
    Instant yesterday = Instant.now().minus(Duration.ofDays(1));
    assertEquals(8, orphans(yesterday).size());
    // Submitted again.
    staging.begin("f00d");
    List<String> orphans = orphans(yesterday);
    assertEquals(4, orphans.size(), orphans::toString);
    assertTrue(orphans.contains("_staging/4567/p000001.json"), orphans::toString);
    assertTrue(orphans.stream().noneMatch(name -> name.equals(old.rejects())));
    // With a limit in the future the sign is old, too.
    assertEquals(9, orphans(Instant.now().plusSeconds(60)).size());
  }

  /** A process may die between writing a file and giving it its name. */
  @Test
  void aRecordThatWasNotFinishedDoesNotCount() throws IOException {
    staging.record(partition(0, 1));
    String suffix = ".11111111-2222-3333-4444-555555555555";
    for (String name :
        List.of(
            "_staging/0123/.p000001.json" + suffix,
            ".dataset.json" + suffix,
            ".report.html" + suffix,
            "_probe-f00d")) {
      Files.write(directory.resolve(name), new byte[] {'{'});
    }
    staging.begin("f00d");
    assertEquals(List.of(0), List.copyOf(staging.finished().keySet()));
    List<String> orphans = orphans(Instant.now().plusSeconds(60));
    assertTrue(orphans.contains("_staging/0123/.p000001.json" + suffix), orphans::toString);
    assertTrue(orphans.contains(".dataset.json" + suffix), orphans::toString);
    assertTrue(orphans.contains(".report.html" + suffix), orphans::toString);
    assertTrue(orphans.contains("_probe-f00d"), orphans::toString);
  }

  @Test
  void aRecordWhoseRejectedRowsAreGoneDoesNotCount() throws IOException {
    store.delete(requireNonNull(staging.record(partition(0, 1)).rejects()));
    assertEquals(Map.of(), staging.finished());
  }

  @Test
  void aBeatenJobClearsItsOwn() throws IOException {
    staging.record(partition(0, 1));
    new StagingArea(store, "4567").record(partition(1, 1));
    staging.clearOwn();
    assertEquals(Map.of(), staging.finished());
    assertEquals(List.of("4567"), staging.others());
  }

  private List<String> orphans(Instant limit) throws IOException {
    return new OrphanFinder(store).olderThan(limit).stream().map(StoredObject::name).toList();
  }
}
