package io.stoker.preprocess.spark;

import io.stoker.preprocess.report.JobReport;

/** How a job ended that did not fail. */
public sealed interface Outcome {
  /** It published a dataset. */
  record Published(JobReport report) implements Outcome {}

  /**
   * Manifests, configuration and software are those of the dataset that is there: there was nothing
   * to do.
   *
   * @param rejected rows of it that were rejected
   */
  record Unchanged(String uri, String datasetId, long rejected) implements Outcome {}
}
