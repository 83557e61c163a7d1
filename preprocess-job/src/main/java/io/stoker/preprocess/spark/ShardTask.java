package io.stoker.preprocess.spark;

import io.stoker.preprocess.commit.StagedPartition;
import io.stoker.preprocess.commit.StagingArea;
import io.stoker.preprocess.commit.SuspectRows;
import io.stoker.preprocess.manifest.ManifestLine;
import io.stoker.preprocess.shard.Attempt;
import io.stoker.preprocess.task.JobSpec;
import io.stoker.preprocess.task.PartitionRun;
import io.stoker.preprocess.task.WorkerResources;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.broadcast.Broadcast;
import scala.Tuple2;

/** Executor half of the job proper: one partition's rows become its shards. */
final class ShardTask
    implements FlatMapFunction<Iterator<Tuple2<ShuffleKey, ManifestLine>>, StagedPartition> {
  private static final long serialVersionUID = 1L;

  private final Broadcast<JobSpec> spec;
  private final PartitionPlan partitions;
  private final ProgressCounters counters;
  private final boolean suspects;

  /**
   * @param suspects whether earlier runs left notes of rows they died at
   */
  ShardTask(
      Broadcast<JobSpec> spec,
      PartitionPlan partitions,
      ProgressCounters counters,
      boolean suspects) {
    this.spec = spec;
    this.partitions = partitions;
    this.counters = counters;
    this.suspects = suspects;
  }

  @Override
  public Iterator<StagedPartition> call(Iterator<Tuple2<ShuffleKey, ManifestLine>> rows)
      throws Exception {
    // The details of rejections are data: their numbers must have the same digits on every host.
    Locale.setDefault(Locale.ROOT);
    TaskContext task = TaskContext.get();
    if (!partitions.isOpen(task.partitionId())) {
      return Collections.emptyIterator();
    }
    Attempt attempt = new Attempt(spec.value().jobId(), task.partitionId(), task.taskAttemptId());
    WorkerResources resources =
        WorkerResources.of(spec.value(), cores(), HadoopConfiguration.get());
    SuspectRows suspectRows =
        new SuspectRows(
            resources.output(),
            spec.value().datasetId(),
            attempt,
            mode(task),
            resources.oneAtATime());
    Iterator<ManifestLine> lines = new Lines(rows);
    try (PartitionRun run =
        new PartitionRun(spec.value(), resources, attempt, suspectRows, lines, counters)) {
      StagedPartition staged = run.run();
      return List.of(new StagingArea(resources.output(), spec.value().datasetId()).record(staged))
          .iterator();
    }
  }

  /**
   * A lost executor often takes its shuffle files along; then Spark counts attempts from 0 again.
   */
  private SuspectRows.Mode mode(TaskContext task) {
    if (task.attemptNumber() > 0 || task.stageAttemptNumber() > 0) {
      return SuspectRows.Mode.CAREFUL;
    }
    return suspects ? SuspectRows.Mode.READ : SuspectRows.Mode.OFF;
  }

  private static int cores() {
    int tasks = SparkEnv.get().conf().getInt("spark.task.cpus", 1);
    int cores = SparkEnv.get().conf().getInt("spark.executor.cores", 0);
    return Math.max(1, (cores > 0 ? cores : Runtime.getRuntime().availableProcessors()) / tasks);
  }

  private record Lines(Iterator<Tuple2<ShuffleKey, ManifestLine>> rows)
      implements Iterator<ManifestLine> {
    @Override
    public boolean hasNext() {
      return rows.hasNext();
    }

    @Override
    public ManifestLine next() {
      return rows.next()._2();
    }
  }
}
