package io.stoker.preprocess.task;

import io.stoker.index.ValueTable;
import io.stoker.preprocess.config.ResizeSettings;
import io.stoker.preprocess.text.ModelDirectory;
import io.stoker.preprocess.text.ModelFileException;
import io.stoker.preprocess.text.TextEncoder;
import io.stoker.preprocess.text.TextSettings;
import io.stoker.preprocess.vision.VisionSettings;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;

/**
 * The model directory, loaded and tried once on the driver, so that a broken one fails in a second
 * and not in every executor.
 *
 * @param files the directory's files
 * @param vision settings of the image processor
 * @param template name of the chat template
 */
public record ModelSetup(ModelDirectory files, VisionSettings vision, String template) {
  /**
   * Loads a model directory.
   *
   * @throws IOException if it cannot be read or used
   * @throws ModelFileException if one of its files cannot be used
   */
  public static ModelSetup load(
      String directory, TextSettings text, ResizeSettings resize, Configuration configuration)
      throws IOException {
    ModelDirectory files = ModelDirectory.load(directory, configuration);
    VisionSettings vision = resize.with(files);
    String template = files.templateName(text.template());
    NativeCache.prepare();
    new TextEncoder(files, text).close();
    return new ModelSetup(files, vision, template);
  }

  /** What the samples depend on: the files' digests, and the name of the chat template. */
  public Map<String, String> fingerprints() {
    Map<String, String> fingerprints = new TreeMap<>(files.fingerprints());
    fingerprints.put("chat-template", template);
    return fingerprints;
  }

  /** The value of each raw pixel. */
  public ValueTable valueTable() {
    return vision.valueTable();
  }
}
