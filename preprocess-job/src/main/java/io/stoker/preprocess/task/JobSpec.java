package io.stoker.preprocess.task;

import io.stoker.preprocess.config.StageSettings;
import io.stoker.preprocess.text.ModelDirectory;
import io.stoker.preprocess.vision.VisionSettings;
import java.io.Serializable;
import java.util.List;

/**
 * Everything an executor needs to know, sent once as a broadcast.
 *
 * @param jobId unique to the submission
 * @param datasetId identity of the dataset
 * @param output directory of the dataset
 * @param model the model directory's files
 * @param vision settings of the vision stage, which the model has a say in
 * @param stages settings of the other stages
 * @param manifestDirectories where the job's manifests lie: relative references may start there
 */
public record JobSpec(
    String jobId,
    String datasetId,
    String output,
    ModelDirectory model,
    VisionSettings vision,
    StageSettings stages,
    List<String> manifestDirectories)
    implements Serializable {
  public JobSpec {
    manifestDirectories = List.copyOf(manifestDirectories);
  }
}
