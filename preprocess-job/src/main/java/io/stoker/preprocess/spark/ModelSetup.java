package io.stoker.preprocess.spark;

import io.stoker.preprocess.commit.DatasetDraft;
import io.stoker.preprocess.config.PreprocessConfig;
import io.stoker.preprocess.task.JobSpec;
import io.stoker.preprocess.task.NativeCache;
import io.stoker.preprocess.text.ModelDirectory;
import io.stoker.preprocess.text.ModelFileException;
import io.stoker.preprocess.text.TextEncoder;
import io.stoker.preprocess.vision.VisionSettings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
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
record ModelSetup(ModelDirectory files, VisionSettings vision, String template) {
  private static final int ID_CHARS = 32;

  static ModelSetup load(PreprocessConfig config, Configuration configuration) throws JobException {
    try {
      ModelDirectory files = ModelDirectory.load(config.job().model(), configuration);
      VisionSettings vision = config.resize().with(files);
      String template = files.templateName(config.stages().text().template());
      NativeCache.prepare();
      new TextEncoder(files, config.stages().text()).close();
      return new ModelSetup(files, vision, template);
    } catch (IOException | ModelFileException e) {
      throw new JobException(JobException.Kind.MODEL, String.valueOf(e.getMessage()), e);
    }
  }

  /** What is known of the dataset before the work starts, its id first of all. */
  DatasetDraft draft(PreprocessConfig config, ManifestScan scan, String jobId) {
    Map<String, String> fingerprints = new TreeMap<>(files.fingerprints());
    fingerprints.put("chat-template", template);
    fingerprints.put("configuration", sha256(utf8(config.content().toString())));
    Map<String, String> settings = new TreeMap<>(config.content());
    settings.put("reference-profile", "transformers 4.57.6, official fine-tuning rules");
    String inputs = scan.manifests() + " " + scan.contentHashes();
    String id = sha256(utf8(SoftwareVersion.get() + inputs + fingerprints)).substring(0, ID_CHARS);
    return new DatasetDraft(
        id,
        jobId,
        SoftwareVersion.get(),
        config.stages().pixels().layout(),
        vision.valueTable(),
        fingerprints,
        settings);
  }

  JobSpec spec(PreprocessConfig config, ManifestScan scan, DatasetDraft draft) {
    return new JobSpec(
        draft.jobId(),
        draft.datasetId(),
        config.job().output(),
        files,
        vision,
        config.stages(),
        scan.directories());
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java platform has SHA-256", e);
    }
  }
}
