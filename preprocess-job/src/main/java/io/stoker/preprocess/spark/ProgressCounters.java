package io.stoker.preprocess.spark;

import io.stoker.preprocess.task.Progress;
import java.io.Serializable;
import java.util.List;
import org.apache.spark.SparkContext;
import org.apache.spark.util.LongAccumulator;

/**
 * Progress as Spark accumulators: shown while the job runs and in Spark's user interface. Retries
 * count twice here; accounts come from what the tasks return.
 */
final class ProgressCounters implements Progress, Serializable {
  private static final long serialVersionUID = 1L;
  static final String WRITTEN = "stoker samples written";
  static final String REJECTED = "stoker rows rejected";
  static final String BYTES_IN = "stoker bytes in";
  static final String BYTES_OUT = "stoker bytes out";
  static final List<String> NAMES = List.of(WRITTEN, REJECTED, BYTES_IN, BYTES_OUT);

  private final LongAccumulator written;
  private final LongAccumulator rejected;
  private final LongAccumulator bytesIn;
  private final LongAccumulator bytesOut;

  ProgressCounters(SparkContext context) {
    this.written = context.longAccumulator(WRITTEN);
    this.rejected = context.longAccumulator(REJECTED);
    this.bytesIn = context.longAccumulator(BYTES_IN);
    this.bytesOut = context.longAccumulator(BYTES_OUT);
  }

  @Override
  public void written(long bytes) {
    written.add(1L);
    bytesIn.add(bytes);
  }

  @Override
  public void rejected() {
    rejected.add(1L);
  }

  @Override
  public void stored(long bytes) {
    bytesOut.add(bytes);
  }
}
