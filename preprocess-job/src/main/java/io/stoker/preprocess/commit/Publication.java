package io.stoker.preprocess.commit;

import io.stoker.index.Dataset;
import io.stoker.preprocess.measure.Counts;
import io.stoker.preprocess.report.JobReport;
import io.stoker.preprocess.report.ReportFiles;
import io.stoker.preprocess.store.CommitStateUnknownException;
import io.stoker.preprocess.store.CrashPoint;
import io.stoker.preprocess.store.OutputStore;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one job does at its output: it looks what is there, takes over what earlier runs finished,
 * publishes the dataset with its report, and clears up.
 */
public final class Publication {
  private final OutputStore store;
  private final DatasetDraft draft;
  private final RejectLimits limits;
  private final int packTokens;
  private final long start;
  private final PrintStream console;
  private final StagingArea staging;

  /**
   * @param packTokens most tokens of a pack; 0 when packing is off
   * @param start when the job started, by {@link System#nanoTime}
   * @param console where warnings are printed
   */
  public Publication(
      OutputStore store,
      DatasetDraft draft,
      RejectLimits limits,
      int packTokens,
      long start,
      PrintStream console) {
    this.store = store;
    this.draft = draft;
    this.limits = limits;
    this.packTokens = packTokens;
    this.start = start;
    this.console = console;
    this.staging = new StagingArea(store, draft.datasetId());
  }

  /**
   * This job's dataset if an earlier run published it, or null when there is none.
   *
   * @throws CommitException if there is another dataset
   */
  public @Nullable Dataset published() throws IOException, CommitException {
    Dataset dataset = DatasetCommitter.published(store);
    if (dataset != null && !dataset.datasetId().equals(draft.datasetId())) {
      throw new CommitException(
          CommitException.Kind.EXISTS,
          "there is another dataset at %s already (%s, this job's would be %s): choose another output.path or remove it"
              .formatted(store.uri(), dataset.datasetId(), draft.datasetId()));
    }
    return dataset;
  }

  /** Does what a job that was killed right after its commit left undone. */
  public void complete(Dataset dataset) throws IOException {
    if (!new ReportFiles(store).areOf(dataset)) {
      List<StagedPartition> finished = List.copyOf(staging.finished().values());
      Counts counts = StagedPartition.counts(finished);
      // A report of a part would be worse than none: the winner may be clearing up just now.
      if (counts.samples() == dataset.counts().samples()
          && counts.rejects().equals(dataset.counts().rejects())) {
        var unused = report(dataset, finished, 0);
      }
    }
    staging.clear();
  }

  /**
   * Tries the output before any work is done.
   *
   * @throws CommitException if no dataset can be written there
   */
  public void probe() throws CommitException {
    try {
      store.probe(draft.jobId());
    } catch (IOException e) {
      throw new CommitException(
          CommitException.Kind.OUTPUT,
          "cannot write a dataset at %s: %s".formatted(store.uri(), e.getMessage()),
          e);
    }
  }

  /**
   * Begins the work, and returns the partitions that earlier runs finished, by index.
   *
   * @param restart whether unfinished work of another configuration is discarded
   * @throws CommitException if there is such work and it is not to be discarded
   */
  public Map<Integer, StagedPartition> begin(boolean restart) throws IOException, CommitException {
    List<String> others = staging.others();
    if (!others.isEmpty() && !restart) {
      throw new CommitException(
          CommitException.Kind.OUTPUT,
          "there is unfinished work on other inputs or another configuration at %s %s, this job's is %s: submit that one again, choose another output.path, or discard it with output.restart=true"
              .formatted(store.uri(), others, draft.datasetId()));
    }
    if (!others.isEmpty()) {
      staging.clearOthers();
    }
    staging.begin(draft.jobId());
    return staging.finished();
  }

  /**
   * Publishes the dataset and its report, and clears up.
   *
   * @param partitions every partition of the job once, in any order
   * @param rows manifest rows of the job
   * @param taskSeconds how long the tasks of this run took together
   * @throws CommitException if nothing was published; it says why
   * @throws CommitStateUnknownException if it cannot be told whether there is one
   */
  public JobReport publish(List<StagedPartition> partitions, long rows, double taskSeconds)
      throws IOException, CommitException {
    Dataset dataset;
    try {
      dataset = new DatasetCommitter(store, draft, limits).commit(partitions, rows);
    } catch (CommitException e) {
      if (e.kind() == CommitException.Kind.LOST) {
        clearAfterLoss();
      }
      throw e;
    }
    JobReport report = report(dataset, partitions, taskSeconds);
    staging.clear();
    limits.warning(dataset.counts().rejected(), rows).ifPresent(console::println);
    return report;
  }

  /**
   * Removes our staged records, unless the winner needs them: if it has our dataset id and dies
   * before it writes its report, its next run builds the report from these records.
   */
  private void clearAfterLoss() throws IOException {
    Dataset winner = DatasetCommitter.published(store);
    if (winner == null
        || !winner.datasetId().equals(draft.datasetId())
        || new ReportFiles(store).areOf(winner)) {
      staging.clearOwn();
    }
  }

  private JobReport report(Dataset dataset, List<StagedPartition> partitions, double taskSeconds) {
    JobReport report =
        new JobReport(
            dataset,
            store.uri(),
            StagedPartition.counts(partitions),
            StagedPartition.times(partitions),
            packTokens,
            (System.nanoTime() - start) / 1e9,
            taskSeconds,
            StagedPartition.rejects(partitions));
    try {
      new ReportFiles(store).write(report);
    } catch (IOException e) {
      // The dataset is published, whatever becomes of its report.
      console.printf(
          "stoker: the dataset is published, but its report could not be written: %s%n",
          e.getMessage());
    }
    new Quarantine(store).tidy(dataset);
    CrashPoint.hit("after-report");
    return report;
  }
}
