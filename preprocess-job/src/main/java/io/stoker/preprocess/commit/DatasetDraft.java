package io.stoker.preprocess.commit;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.stoker.format.PixelLayout;
import io.stoker.index.ValueTable;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What is known of a dataset before its first sample is made.
 *
 * @param datasetId hash of the software's version, the inputs, the content-affecting settings and
 *     the model's files
 * @param jobId unique to the submission
 * @param softwareVersion version of this software
 * @param pixels how patches are stored
 * @param valueTable the value of each raw pixel
 * @param fingerprints what the samples depend on, name to digest
 * @param settings content-affecting settings and the reference profile
 */
public record DatasetDraft(
    String datasetId,
    String jobId,
    String softwareVersion,
    PixelLayout pixels,
    ValueTable valueTable,
    Map<String, String> fingerprints,
    Map<String, String> settings) {
  private static final int ID_CHARS = 32;

  /**
   * The draft of a job, with the id that follows from what its content depends on.
   *
   * @param inputs the manifests and the hashes of their contents, as text
   * @param model fingerprints of the model's files and its chat template
   * @param content the value of every key that the content depends on
   */
  public static DatasetDraft of(
      String jobId,
      String inputs,
      Map<String, String> model,
      SortedMap<String, String> content,
      PixelLayout pixels,
      ValueTable valueTable) {
    Map<String, String> fingerprints = new TreeMap<>(model);
    fingerprints.put("configuration", sha256(content.toString()));
    Map<String, String> settings = new TreeMap<>(content);
    settings.put("reference-profile", "transformers 4.57.6, official fine-tuning rules");
    String version = SoftwareVersion.get();
    String id = sha256(version + inputs + fingerprints).substring(0, ID_CHARS);
    return new DatasetDraft(id, jobId, version, pixels, valueTable, fingerprints, settings);
  }

  private static String sha256(String text) {
    try {
      return HexFormat.of()
          .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java platform has SHA-256", e);
    }
  }
}
