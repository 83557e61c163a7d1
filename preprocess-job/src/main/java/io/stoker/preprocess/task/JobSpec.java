package io.stoker.preprocess.task;

import io.stoker.preprocess.config.PixelSettings;
import io.stoker.preprocess.decode.DecodeSettings;
import io.stoker.preprocess.fetch.FetchSettings;
import io.stoker.preprocess.pack.PackSettings;
import io.stoker.preprocess.sample.SampleSettings;
import io.stoker.preprocess.shard.ShardSettings;
import io.stoker.preprocess.text.ModelDirectory;
import io.stoker.preprocess.text.TextSettings;
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
 * @param manifestDirectories where the job's manifests lie: relative references may start there
 */
public record JobSpec(
    String jobId,
    String datasetId,
    String output,
    ModelDirectory model,
    SampleSettings sample,
    FetchSettings fetch,
    DecodeSettings decode,
    VisionSettings vision,
    PixelSettings pixels,
    TextSettings text,
    PackSettings pack,
    ShardSettings shard,
    List<String> manifestDirectories)
    implements Serializable {
  public JobSpec {
    manifestDirectories = List.copyOf(manifestDirectories);
  }
}
