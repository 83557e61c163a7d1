package io.stoker.preprocess.config;

import java.time.Duration;
import java.util.List;

/**
 * What the driver alone needs to know.
 *
 * @param manifests paths, directories or globs
 * @param output directory of the dataset
 * @param restart whether unfinished work of another configuration is discarded
 * @param model model directory
 * @param seed of the global shuffle
 * @param partitionRows manifest rows per partition
 * @param splitBytes byte range of a manifest that one task reads
 * @param maxLineBytes longest manifest line
 * @param progressInterval how often progress is printed; zero for never
 */
public record JobSettings(
    List<String> manifests,
    String output,
    boolean restart,
    String model,
    long seed,
    long partitionRows,
    long splitBytes,
    int maxLineBytes,
    Duration progressInterval) {
  public JobSettings {
    manifests = List.copyOf(manifests);
  }
}
