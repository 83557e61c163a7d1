package io.stoker.preprocess.commit;

import io.stoker.format.PixelLayout;
import io.stoker.index.ValueTable;
import java.util.Map;

/**
 * What is known of a dataset before the first sample is.
 *
 * @param datasetId hash of the inputs, the content-affecting settings and the model's files
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
    Map<String, String> settings) {}
