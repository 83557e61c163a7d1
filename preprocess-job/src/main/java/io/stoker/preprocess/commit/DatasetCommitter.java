package io.stoker.preprocess.commit;

import io.stoker.format.ShardFormat;
import io.stoker.index.BlockEntry;
import io.stoker.index.BlockTableFile;
import io.stoker.index.BlockTableWriter;
import io.stoker.index.Dataset;
import io.stoker.index.DatasetCounts;
import io.stoker.index.DatasetParser;
import io.stoker.index.ShardEntry;
import io.stoker.preprocess.measure.Counts;
import io.stoker.preprocess.shard.StagedShard;
import io.stoker.preprocess.store.CommitStateUnknownException;
import io.stoker.preprocess.store.CrashPoint;
import io.stoker.preprocess.store.OutputStore;
import io.stoker.preprocess.store.StagedFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Staged partitions → dataset. {@code dataset.json} is the commit point: it is written last, once,
 * and only if there is none. If another job's commit came first, this job's files are removed; if
 * the outcome is unknown, nothing is removed.
 */
public final class DatasetCommitter {
  private final OutputStore store;
  private final DatasetDraft draft;
  private final RejectLimits limits;

  public DatasetCommitter(OutputStore store, DatasetDraft draft, RejectLimits limits) {
    this.store = store;
    this.draft = draft;
    this.limits = limits;
  }

  /** The dataset that is published at a place, or null when there is none. */
  static @Nullable Dataset published(OutputStore store) throws IOException {
    byte[] json = store.read(ShardFormat.DATASET_FILE);
    return json == null ? null : DatasetParser.fromJson(store.uri(ShardFormat.DATASET_FILE), json);
  }

  /**
   * Publishes the dataset.
   *
   * @param partitions every partition of the job once, in any order
   * @param rows manifest rows of the job
   * @throws CommitException if nothing was published; it says why
   * @throws CommitStateUnknownException if it cannot be told whether there is one
   */
  public Dataset commit(List<StagedPartition> partitions, long rows)
      throws IOException, CommitException {
    List<StagedPartition> ordered =
        partitions.stream().sorted(Comparator.comparingInt(StagedPartition::partition)).toList();
    Counts counts = StagedPartition.counts(ordered);
    // If these checks fail, what is staged stays: a next run with other limits takes it over.
    checkAccounts(ordered, counts, rows);
    checkRejects(counts);
    CrashPoint.hit("before-block-table");
    Dataset dataset = dataset(ordered, counts);
    CrashPoint.hit("before-dataset");
    if (!store.createIfAbsent(ShardFormat.DATASET_FILE, DatasetParser.toJson(dataset))) {
      throw lost(ordered, dataset);
    }
    CrashPoint.hit("after-dataset");
    return dataset;
  }

  /** Removes what only this job refers to; a job with the same id may share the winner's shards. */
  private CommitException lost(List<StagedPartition> ordered, Dataset dataset) throws IOException {
    Dataset winner = published(store);
    if (winner == null) {
      throw new CommitStateUnknownException(
          store.uri(ShardFormat.DATASET_FILE), new IOException("it was there and is gone"));
    }
    Set<String> taken = winner.shards().stream().map(ShardEntry::name).collect(Collectors.toSet());
    for (StagedPartition partition : ordered) {
      for (StagedShard shard : partition.shards()) {
        if (!taken.contains(shard.entry().name())) {
          store.discard(shard.entry().name());
        }
      }
    }
    store.discard(dataset.blockTable().name());
    new Quarantine(store).abandon(ordered, winner);
    return new CommitException(
        CommitException.Kind.LOST,
        "another job published %s at %s first: its files were left alone, those of this job's own were removed"
            .formatted(
                winner.datasetId().equals(dataset.datasetId())
                    ? "this very dataset"
                    : "the dataset " + winner.datasetId(),
                store.uri()));
  }

  private void checkAccounts(List<StagedPartition> ordered, Counts counts, long rows)
      throws CommitException {
    for (int i = 0; i < ordered.size(); i++) {
      if (ordered.get(i).partition() != i) {
        throw new CommitException(
            CommitException.Kind.ACCOUNTS,
            "expected each partition once, found %d where %d belongs"
                .formatted(ordered.get(i).partition(), i));
      }
    }
    if (counts.rows() != rows || counts.samples() + counts.rejected() != rows) {
      throw new CommitException(
          CommitException.Kind.ACCOUNTS,
          "the accounts do not balance: %d manifest rows, but %d taken, %d written and %d rejected"
              .formatted(rows, counts.rows(), counts.samples(), counts.rejected()));
    }
  }

  private void checkRejects(Counts counts) throws CommitException {
    long tolerated = limits.tolerated(counts.rows());
    if (counts.rejected() > tolerated) {
      throw new CommitException(
          CommitException.Kind.REJECTS,
          "%d of %d rows were rejected %s, %d are tolerated (rejects.max-fraction, rejects.min-tolerated); see %s"
              .formatted(
                  counts.rejected(),
                  counts.rows(),
                  counts.rejects(),
                  tolerated,
                  store.uri("rejects")));
    }
    if (counts.samples() == 0) {
      throw new CommitException(
          CommitException.Kind.EMPTY,
          "none of the %d rows could be used %s; see %s"
              .formatted(counts.rows(), counts.rejects(), store.uri("rejects")));
    }
  }

  private Dataset dataset(List<StagedPartition> ordered, Counts counts) throws IOException {
    List<ShardEntry> shards = new ArrayList<>();
    BlockTableWriter table = new BlockTableWriter(draft.datasetId());
    for (StagedPartition partition : ordered) {
      for (StagedShard shard : partition.shards()) {
        for (BlockEntry block : shard.blocks()) {
          table.add(shards.size(), block);
        }
        shards.add(shard.entry());
      }
    }
    return Dataset.of(
        draft.datasetId(),
        draft.softwareVersion(),
        DatasetCounts.of(
            counts.samples(),
            counts.packs(),
            counts.tokens(),
            counts.supervisedTokens(),
            counts.patches(),
            counts.rejects()),
        draft.pixels(),
        draft.valueTable(),
        draft.fingerprints(),
        draft.settings(),
        write(table),
        shards);
  }

  private BlockTableFile write(BlockTableWriter table) throws IOException {
    // The name holds our job's id: a racing job must not overwrite the winner's table.
    String name = "blocks-%s.arrow".formatted(draft.jobId());
    try (StagedFile file = store.stage(name)) {
      BlockTableFile entry = table.writeTo(file.stream(), name);
      file.publish();
      return entry;
    }
  }
}
