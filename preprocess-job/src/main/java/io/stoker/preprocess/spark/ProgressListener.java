package io.stoker.preprocess.spark;

import io.stoker.preprocess.report.ProgressPrinter;
import java.util.HashMap;
import java.util.Map;
import org.apache.spark.scheduler.AccumulableInfo;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerExecutorMetricsUpdate;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import scala.Tuple4;
import scala.collection.Iterable;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Sums up {@link ProgressCounters} of finished tasks and, from heartbeats, of running ones: Spark
 * itself merges accumulators only when a task ends, which is too rarely to watch.
 */
final class ProgressListener extends SparkListener {
  private final Map<String, Long> finished = new HashMap<>();
  private final Map<Long, Map<String, Long>> running = new HashMap<>();

  @Override
  public synchronized void onExecutorMetricsUpdate(SparkListenerExecutorMetricsUpdate update) {
    for (Tuple4<Object, Object, Object, scala.collection.immutable.Seq<AccumulableInfo>> task :
        CollectionConverters.asJava(update.accumUpdates())) {
      running.put((Long) task._1(), counts(task._4()));
    }
  }

  @Override
  public synchronized void onTaskEnd(SparkListenerTaskEnd end) {
    running.remove(end.taskInfo().taskId());
    if (end.taskInfo().successful()) {
      counts(end.taskInfo().accumulables()).forEach((k, v) -> finished.merge(k, v, Long::sum));
    }
  }

  private static Map<String, Long> counts(Iterable<AccumulableInfo> infos) {
    Map<String, Long> counts = new HashMap<>();
    for (AccumulableInfo info : CollectionConverters.asJava(infos)) {
      if (info.name().isDefined()
          && ProgressCounters.NAMES.contains(info.name().get())
          && info.update().isDefined()
          && info.update().get() instanceof Long value) {
        counts.put(info.name().get(), value);
      }
    }
    return counts;
  }

  /** What all tasks did so far. */
  synchronized ProgressPrinter.Totals totals() {
    return new ProgressPrinter.Totals(
        total(ProgressCounters.WRITTEN),
        total(ProgressCounters.REJECTED),
        total(ProgressCounters.BYTES_IN),
        total(ProgressCounters.BYTES_OUT));
  }

  private long total(String counter) {
    long total = finished.getOrDefault(counter, 0L);
    for (Map<String, Long> task : running.values()) {
      total += task.getOrDefault(counter, 0L);
    }
    return total;
  }
}
