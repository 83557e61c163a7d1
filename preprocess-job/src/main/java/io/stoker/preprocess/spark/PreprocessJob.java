package io.stoker.preprocess.spark;

import io.stoker.index.Dataset;
import io.stoker.preprocess.commit.CommitException;
import io.stoker.preprocess.commit.DatasetDraft;
import io.stoker.preprocess.commit.Publication;
import io.stoker.preprocess.commit.StagedPartition;
import io.stoker.preprocess.commit.SuspectRows;
import io.stoker.preprocess.config.PreprocessConfig;
import io.stoker.preprocess.manifest.Manifest;
import io.stoker.preprocess.manifest.ManifestException;
import io.stoker.preprocess.manifest.ManifestLister;
import io.stoker.preprocess.pack.PackSettings;
import io.stoker.preprocess.report.JobReport;
import io.stoker.preprocess.report.ProgressPrinter;
import io.stoker.preprocess.store.CommitStateUnknownException;
import io.stoker.preprocess.store.CrashPoint;
import io.stoker.preprocess.store.OutputStore;
import io.stoker.preprocess.task.JobSpec;
import io.stoker.preprocess.task.ModelSetup;
import io.stoker.preprocess.task.WorkerResources;
import io.stoker.preprocess.text.ModelFileException;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;

/**
 * Driver half of the job: checks what can be checked before any work is done, scans the manifests,
 * shuffles their rows, lets tasks write shards, and publishes the dataset.
 */
public final class PreprocessJob {
  private final PreprocessConfig config;
  private final JavaSparkContext spark;
  private final PrintStream console;
  private final long start = System.nanoTime();

  /** How a job ended that did not fail. */
  public sealed interface Outcome {
    /** It published a dataset. */
    record Published(JobReport report) implements Outcome {}

    /**
     * The dataset that is there was made of these manifests with this configuration and software:
     * there was nothing to do.
     *
     * @param rejected rows of it that were rejected
     */
    record Unchanged(String uri, String datasetId, long rejected) implements Outcome {}
  }

  /**
   * @param console where progress goes
   */
  public PreprocessJob(PreprocessConfig config, JavaSparkContext spark, PrintStream console) {
    this.config = config;
    this.spark = spark;
    this.console = console;
  }

  /**
   * Runs the job.
   *
   * @throws JobException if it failed for a reason that a user can act on
   */
  public Outcome run() throws IOException, JobException {
    SparkRules.check(spark.getConf());
    Configuration configuration = HadoopConfiguration.get();
    OutputStore output = new OutputStore(config.job().output(), configuration);
    ModelSetup model = model(configuration);
    ManifestScan scan = scan(configuration);
    console.printf("stoker: %,d rows in %d manifests%n", scan.rows(), scan.contentHashes().size());
    DatasetDraft draft = draft(model, scan);
    Publication publication = publication(output, draft);
    try {
      Dataset published = publication.published();
      if (published != null) {
        publication.complete(published);
        long rejected = published.counts().rejected();
        return new Outcome.Unchanged(output.uri(), draft.datasetId(), rejected);
      }
      publication.probe();
      CrashPoint.hit("after-scan");
      Map<Integer, StagedPartition> finished = publication.begin(config.job().restart());
      Work work = work(output, spec(draft, model, scan), scan, finished);
      CrashPoint.hit("after-tasks");
      return new Outcome.Published(
          publication.publish(work.partitions(), scan.rows(), work.seconds()));
    } catch (CommitException e) {
      throw JobException.of(e);
    } catch (CommitStateUnknownException e) {
      throw new JobException(JobException.Kind.UNKNOWN, String.valueOf(e.getMessage()), e);
    }
  }

  private ModelSetup model(Configuration configuration) throws JobException {
    try {
      return ModelSetup.load(
          config.job().model(), config.stages().text(), config.resize(), configuration);
    } catch (IOException | ModelFileException e) {
      throw new JobException(JobException.Kind.MODEL, String.valueOf(e.getMessage()), e);
    }
  }

  private ManifestScan scan(Configuration configuration) throws IOException, JobException {
    try {
      List<Manifest> manifests = ManifestLister.list(config.job().manifests(), configuration);
      return ManifestScan.run(spark, manifests, config.job());
    } catch (ManifestException e) {
      throw new JobException(JobException.Kind.INPUT, String.valueOf(e.getMessage()), e);
    }
  }

  private DatasetDraft draft(ModelSetup model, ManifestScan scan) {
    return DatasetDraft.of(
        UUID.randomUUID().toString().substring(0, 13).replace("-", ""),
        scan.manifests() + " " + scan.contentHashes(),
        model.fingerprints(),
        config.content(),
        config.stages().pixels().layout(),
        model.valueTable());
  }

  private Publication publication(OutputStore output, DatasetDraft draft) {
    PackSettings pack = config.stages().pack();
    int packTokens = pack.enabled() ? pack.maxTokens() : 0;
    return new Publication(output, draft, config.rejects(), packTokens, start, console);
  }

  private JobSpec spec(DatasetDraft draft, ModelSetup model, ManifestScan scan) {
    return new JobSpec(
        draft.jobId(),
        draft.datasetId(),
        config.job().output(),
        model.files(),
        model.vision(),
        config.stages(),
        scan.directories());
  }

  /**
   * What the job has to publish.
   *
   * @param seconds from the start of the first task of this run to the end of the last one
   */
  private record Work(List<StagedPartition> partitions, double seconds) {}

  private Work work(
      OutputStore output, JobSpec spec, ManifestScan scan, Map<Integer, StagedPartition> finished)
      throws IOException, JobException {
    PartitionPlan plan =
        new PartitionPlan(scan.rows(), config.job().partitionRows(), finished.keySet());
    if (!finished.isEmpty()) {
      console.printf(
          "stoker: %,d of %,d partitions were finished by an earlier run and are not done again%n",
          finished.size(), plan.numPartitions());
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

  private List<StagedPartition> runTasks(
      JobSpec spec, ManifestScan scan, PartitionPlan plan, boolean suspects) throws JobException {
    ProgressListener listener = new ProgressListener();
    spark.sc().addSparkListener(listener);
    Broadcast<JobSpec> broadcast = spark.broadcast(spec);
    try (ProgressPrinter printer =
        new ProgressPrinter(
            listener::totals, scan.rows(), config.job().progressInterval(), console)) {
      return spark
          .parallelize(scan.splits(), scan.splits().size())
          .flatMapToPair(
              new ReadSplit(config.job().maxLineBytes(), config.job().seed(), scan.hashes(), plan))
          .repartitionAndSortWithinPartitions(plan)
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
        JobException.Kind.FAILED,
        "the job failed and published nothing: " + JobException.firstLine(e),
        e);
  }
}
