package io.stoker.preprocess.spark;

import io.stoker.preprocess.manifest.ManifestException;
import io.stoker.preprocess.manifest.ManifestReader;
import io.stoker.preprocess.manifest.Split;
import io.stoker.preprocess.manifest.SplitSummary;
import java.io.Serializable;
import org.apache.spark.api.java.function.Function;
import org.jspecify.annotations.Nullable;

/** Executor half of the first pass: counts and hashes the lines of a split. */
final class ScanSplit implements Function<Split, ScanSplit.Result> {
  private static final long serialVersionUID = 1L;

  private final int maxLineBytes;

  /**
   * What a split holds, or why its manifest is refused. A refusal is a value: as an exception it
   * would be tried again and come with Spark's pages of stack traces.
   */
  record Result(@Nullable SplitSummary summary, @Nullable String refusal) implements Serializable {
    SplitSummary get() throws ManifestException {
      if (summary == null) {
        throw new ManifestException(String.valueOf(refusal));
      }
      return summary;
    }
  }

  ScanSplit(int maxLineBytes) {
    this.maxLineBytes = maxLineBytes;
  }

  @Override
  public Result call(Split split) throws Exception {
    try (ManifestReader reader =
        ManifestReader.open(split, maxLineBytes, ExecutorConfiguration.get())) {
      return new Result(reader.summarize(), null);
    } catch (ManifestException e) {
      return new Result(null, e.getMessage());
    }
  }
}
