package io.stoker.preprocess.spark;

import io.stoker.index.Dataset;
import io.stoker.index.DatasetParser;
import io.stoker.preprocess.commit.CommitException;
import io.stoker.preprocess.commit.DatasetCommitter;
import io.stoker.preprocess.commit.DatasetDraft;
import io.stoker.preprocess.commit.Quarantine;
import io.stoker.preprocess.commit.StagedPartition;
import io.stoker.preprocess.commit.StagingArea;
import io.stoker.preprocess.commit.SuspectRows;
import io.stoker.preprocess.config.PreprocessConfig;
import io.stoker.preprocess.manifest.Manifest;
import io.stoker.preprocess.manifest.ManifestException;
import io.stoker.preprocess.manifest.ManifestLister;
import io.stoker.preprocess.measure.Counts;
import io.stoker.preprocess.report.JobReport;
import io.stoker.preprocess.report.ReportFiles;
import io.stoker.preprocess.store.CommitStateUnknownException;
import io.stoker.preprocess.store.CrashPoint;
import io.stoker.preprocess.store.OutputStore;
import io.stoker.preprocess.task.JobSpec;
import io.stoker.preprocess.task.WorkerResources;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkException;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.jspecify.annotations.Nullable;

/**
 * Driver half of the job: checks what can be checked before any work is done, scans the manifests,
 * shuffles their rows, lets tasks write shards, and publishes the dataset.
 */
public final class PreprocessJob {
  private final PreprocessConfig config;
  private final JavaSparkContext spark;
  private final PrintStream console;
  private final long start = System.nanoTime();

  /**
   * @param console where progress goes
   */
  public PreprocessJob(PreprocessConfig config, JavaSparkContext spark, PrintStream console) {
    this.config = config;
    this.spark = spark;
    this.console = console;
  }

  /** Completes Spark's settings by what suits the job. */
  public static SparkConf defaults(SparkConf conf) {
    // A task's rows are small and its images are not: it shall not wait for a core on the host that
    // read most of its rows while one elsewhere is free.
    return conf.setIfMissing("spark.app.name", "stoker")
        .setIfMissing("spark.shuffle.reduceLocality.enabled", "false");
  }

  /**
   * Runs the job.
   *
   * @throws JobException if it failed for a reason that a user can act on
   */
  public Outcome run() throws IOException, JobException {
    SparkRules.check(spark.getConf());
    Configuration configuration = ExecutorConfiguration.get();
    OutputStore output = new OutputStore(config.job().output(), configuration);
    ModelSetup model = ModelSetup.load(config, configuration);
    ManifestScan scan = scan(configuration);
    console.printf("stoker: %,d rows in %d manifests%n", scan.rows(), scan.contentHashes().size());
    DatasetDraft draft = model.draft(config, scan, jobId());
    StagingArea staging = new StagingArea(output, draft.datasetId());
    Dataset published = published(output, draft.datasetId());
    if (published != null) {
      finishPublished(output, published, staging);
      return new Outcome.Unchanged(output.uri(), draft.datasetId(), published.counts().rejected());
    }
    probe(output, draft.jobId());
    CrashPoint.hit("after-scan");
    Work work = work(output, staging, model.spec(config, scan, draft), scan);
    CrashPoint.hit("after-tasks");
    Dataset dataset = commit(output, draft, staging, work.partitions(), scan.rows());
    JobReport report = report(output, dataset, work);
    staging.clear();
    long rejected = dataset.counts().rejected();
    config.rejects().warning(rejected, scan.rows()).ifPresent(console::println);
    return new Outcome.Published(report);
  }

  private static @Nullable Dataset published(OutputStore output, String datasetId)
      throws IOException, JobException {
    byte[] json = output.read(DatasetCommitter.DATASET_FILE);
    if (json == null) {
      return null;
    }
    Dataset dataset = DatasetParser.fromJson(output.uri(DatasetCommitter.DATASET_FILE), json);
    String found = dataset.datasetId();
    if (!found.equals(datasetId)) {
      throw new JobException(
          JobException.Kind.EXISTS,
          "there is another dataset at %s already (%s, this job's would be %s): choose another output.path or remove it"
              .formatted(output.uri(), found, datasetId));
    }
    return dataset;
  }

  /** Does what a job that was killed right after its commit left undone. */
  private void finishPublished(OutputStore output, Dataset dataset, StagingArea staging)
      throws IOException {
    if (!new ReportFiles(output).areOf(dataset)) {
      List<StagedPartition> finished = List.copyOf(staging.finished().values());
      Counts counts = StagedPartition.counts(finished);
      // No report at all rather than one of a part: the job that won may be clearing up just now.
      if (counts.samples() == dataset.counts().samples()
          && counts.rejects().equals(dataset.counts().rejects())) {
        var unused = report(output, dataset, new Work(finished, 0));
      }
    }
    staging.clear();
  }

  private static void probe(OutputStore output, String jobId) throws JobException {
    try {
      output.probe(jobId);
    } catch (IOException e) {
      throw new JobException(
          JobException.Kind.OUTPUT,
          "cannot write a dataset at %s: %s".formatted(output.uri(), e.getMessage()),
          e);
    }
  }

  /**
   * What the job has to publish.
   *
   * @param seconds from the start of the first task of this run to the end of the last one
   */
  private record Work(List<StagedPartition> partitions, double seconds) {}

  private Work work(OutputStore output, StagingArea staging, JobSpec spec, ManifestScan scan)
      throws IOException, JobException {
    List<String> others = staging.others();
    if (!others.isEmpty() && !config.job().restart()) {
      throw new JobException(
          JobException.Kind.OUTPUT,
          "there is unfinished work on other inputs or another configuration at %s %s, this job's is %s: submit that one again, choose another output.path, or discard it with output.restart=true"
              .formatted(spec.output(), others, spec.datasetId()));
    }
    if (!others.isEmpty()) {
      staging.clearOthers();
    }
    staging.begin(spec.jobId());
    Map<Integer, StagedPartition> finished = staging.finished();
    PartitionPlan plan =
        new PartitionPlan(scan.rows(), config.job().partitionRows(), finished.keySet());
    if (!finished.isEmpty()) {
      console.printf(
          "stoker: %,d of %,d partitions were finished by an earlier run and are not done again%n",
          finished.size(), plan.partitions());
    }
    List<StagedPartition> partitions = new ArrayList<>(finished.values());
    if (plan.isComplete()) {
      return new Work(partitions, 0);
    }
    boolean suspects = SuspectRows.any(output, spec.datasetId());
    // The scan has waited for executors: the first task starts at once.
    long tasks = System.nanoTime();
    partitions.addAll(runTasks(spec, scan, plan, suspects));
    return new Work(partitions, (System.nanoTime() - tasks) / 1e9);
  }

  private JobReport report(OutputStore output, Dataset dataset, Work work) {
    JobReport report =
        new JobReport(
            dataset,
            output.uri(),
            StagedPartition.counts(work.partitions()),
            StagedPartition.times(work.partitions()),
            config.stages().pack().enabled() ? config.stages().pack().maxTokens() : 0,
            (System.nanoTime() - start) / 1e9,
            work.seconds(),
            StagedPartition.rejects(work.partitions()));
    try {
      new ReportFiles(output).write(report);
    } catch (IOException e) {
      // The dataset is published, whatever becomes of its report.
      console.printf(
          "stoker: the dataset is published, but its report could not be written: %s%n",
          e.getMessage());
    }
    new Quarantine(output).tidy(dataset);
    CrashPoint.hit("after-report");
    return report;
  }

  private static String jobId() {
    return UUID.randomUUID().toString().substring(0, 13).replace("-", "");
  }

  private ManifestScan scan(Configuration configuration) throws IOException, JobException {
    try {
      List<Manifest> manifests = ManifestLister.list(config.job().manifests(), configuration);
      return ManifestScan.run(spark, manifests, config.job());
    } catch (ManifestException e) {
      throw new JobException(JobException.Kind.INPUT, String.valueOf(e.getMessage()), e);
    }
  }

  private List<StagedPartition> runTasks(
      JobSpec spec, ManifestScan scan, PartitionPlan plan, boolean suspects) throws JobException {
    ProgressListener listener = new ProgressListener();
    spark.sc().addSparkListener(listener);
    Broadcast<JobSpec> broadcast = spark.broadcast(spec);
    try (ProgressPrinter printer =
        new ProgressPrinter(listener, scan.rows(), config.job().progressInterval(), console)) {
      return spark
          .parallelize(scan.splits(), scan.splits().size())
          .flatMapToPair(
              new ReadSplit(config.job().maxLineBytes(), config.job().seed(), scan.hashes(), plan))
          .repartitionAndSortWithinPartitions(new ShuffleKeyPartitioner(plan.partitions()))
          .mapPartitions(new ShardTask(broadcast, plan, new ProgressCounters(spark.sc()), suspects))
          .collect();
    } catch (Exception e) {
      throw failed(e);
    } finally {
      broadcast.destroy();
      WorkerResources.close(spec.jobId());
      spark.sc().removeSparkListener(listener);
    }
  }

  private static JobException failed(Exception e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof ManifestException) {
        return new JobException(JobException.Kind.INPUT, String.valueOf(cause.getMessage()), e);
      }
    }
    return new JobException(
        JobException.Kind.FAILED, "the job failed and published nothing: " + firstLine(e), e);
  }

  /** Spark wraps what a task threw into a text of many lines; its first line says it. */
  static String firstLine(Exception e) {
    Throwable cause = e;
    while (cause.getCause() != null && !(cause instanceof SparkException)) {
      cause = cause.getCause();
    }
    return String.valueOf(cause.getMessage()).lines().findFirst().orElse("");
  }

  private Dataset commit(
      OutputStore output,
      DatasetDraft draft,
      StagingArea staging,
      List<StagedPartition> partitions,
      long rows)
      throws IOException, JobException {
    try {
      return new DatasetCommitter(output, draft, config.rejects()).commit(partitions, rows);
    } catch (CommitStateUnknownException e) {
      throw new JobException(JobException.Kind.UNKNOWN, String.valueOf(e.getMessage()), e);
    } catch (CommitException e) {
      if (e.kind() == CommitException.Kind.LOST) {
        clearAfterLoss(output, draft, staging);
      }
      throw new JobException(kind(e), String.valueOf(e.getMessage()), e);
    }
  }

  /** A winner of the same id that is killed before its report leaves it to its records. */
  private static void clearAfterLoss(OutputStore output, DatasetDraft draft, StagingArea staging)
      throws IOException {
    byte[] json = output.read(DatasetCommitter.DATASET_FILE);
    Dataset winner =
        json == null ? null : DatasetParser.fromJson(DatasetCommitter.DATASET_FILE, json);
    if (winner == null
        || !winner.datasetId().equals(draft.datasetId())
        || new ReportFiles(output).areOf(winner)) {
      staging.clearOwn();
    }
  }

  private static JobException.Kind kind(CommitException e) {
    return switch (e.kind()) {
      case ACCOUNTS -> JobException.Kind.FAILED;
      case REJECTS, EMPTY -> JobException.Kind.REJECTS;
      case LOST -> JobException.Kind.LOST;
    };
  }
}
