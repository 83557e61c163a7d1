package io.stoker.preprocess.spark;

import io.stoker.preprocess.config.JobSettings;
import io.stoker.preprocess.manifest.Manifest;
import io.stoker.preprocess.manifest.ManifestException;
import io.stoker.preprocess.manifest.ManifestLister;
import io.stoker.preprocess.manifest.ManifestReader;
import io.stoker.preprocess.manifest.ManifestReader.SplitSummary;
import io.stoker.preprocess.manifest.Split;
import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.java.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What the first pass over the manifests found.
 *
 * @param manifests in the job's order
 * @param splits of all manifests, with what they hold
 * @param contentHashes SHA-256 per manifest, in hex
 * @param rows lines that are not blank
 */
record ManifestScan(
    List<Manifest> manifests, List<ScannedSplit> splits, List<String> contentHashes, long rows) {
  /**
   * A split and what the first pass found in it; the second pass must find the same.
   *
   * @param split the range, its first line's number known
   * @param summary its sums
   */
  record ScannedSplit(Split split, SplitSummary summary) implements Serializable {}

  /** Executor half of the first pass: counts and hashes the lines of a split. */
  record ScanSplit(int maxLineBytes) implements Function<Split, ScanSplit.Result> {
    /**
     * What a split holds, or why its manifest is refused. A refusal is a value: as an exception it
     * would be tried again and come with Spark's pages of stack traces.
     */
    record Result(@Nullable SplitSummary summary, @Nullable String refusal)
        implements Serializable {
      SplitSummary get() throws ManifestException {
        if (summary == null) {
          throw new ManifestException(String.valueOf(refusal));
        }
        return summary;
      }
    }

    @Override
    public Result call(Split split) throws IOException {
      try (ManifestReader reader =
          ManifestReader.open(split, maxLineBytes, HadoopConfiguration.get())) {
        return new Result(reader.summarize(), null);
      } catch (ManifestException e) {
        return new Result(null, e.getMessage());
      }
    }
  }

  /** Reads every manifest once. */
  static ManifestScan run(JavaSparkContext spark, List<Manifest> manifests, JobSettings settings)
      throws IOException {
    List<Split> splits = ManifestLister.split(manifests, settings.splitBytes());
    List<ScanSplit.Result> results;
    try {
      results =
          spark
              .parallelize(splits, splits.size())
              .map(new ScanSplit(settings.maxLineBytes()))
              .collect();
    } catch (Exception e) {
      throw new IOException("cannot read the manifests: " + JobException.firstLine(e), e);
    }
    List<ScannedSplit> numbered = new ArrayList<>();
    List<String> hashes = new ArrayList<>();
    List<SplitSummary> ofManifest = new ArrayList<>();
    long line = 1;
    long rows = 0;
    for (int i = 0; i < splits.size(); i++) {
      SplitSummary summary = results.get(i).get();
      numbered.add(new ScannedSplit(splits.get(i).withFirstLine(line), summary));
      ofManifest.add(summary);
      line += summary.lines();
      rows += summary.records();
      boolean last =
          i + 1 == splits.size() || splits.get(i + 1).manifest() != splits.get(i).manifest();
      if (last) {
        hashes.add(ManifestReader.contentHash(ofManifest));
        ofManifest.clear();
        line = 1;
      }
    }
    if (rows == 0) {
      throw new ManifestException("the manifests have no records: every line is blank");
    }
    return new ManifestScan(manifests, List.copyOf(numbered), List.copyOf(hashes), rows);
  }

  /** Where the manifests lie, each with a slash at its end. */
  List<String> directories() {
    return manifests.stream()
        .map(manifest -> manifest.uri().substring(0, manifest.uri().lastIndexOf('/') + 1))
        .distinct()
        .toList();
  }

  /** The first 8 bytes of each content hash. */
  long[] hashes() {
    return contentHashes.stream()
        .mapToLong(hash -> HexFormat.fromHexDigitsToLong(hash, 0, 16))
        .toArray();
  }
}
