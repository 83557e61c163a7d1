package io.stoker.preprocess.config;

import io.stoker.preprocess.text.ModelDirectory;
import io.stoker.preprocess.vision.ResizeKernel;
import io.stoker.preprocess.vision.VisionSettings;
import java.io.IOException;

/**
 * What the configuration says about resizing; the rest stands in the model directory.
 *
 * @param kernel resize kernel
 * @param minPixels least pixels after resizing, 0 for the model's own
 * @param maxPixels most pixels after resizing, 0 for the model's own
 */
public record ResizeSettings(ResizeKernel kernel, long minPixels, long maxPixels) {
  /**
   * The settings of the vision stage, together with what the model says.
   *
   * @throws IOException if the model's processor settings cannot be used
   */
  public VisionSettings with(ModelDirectory model) throws IOException {
    return ProcessorSettings.parse(model, minPixels, maxPixels, kernel);
  }
}
