package io.stoker.preprocess.sample;

import io.stoker.preprocess.manifest.ManifestLine;
import io.stoker.preprocess.sample.Turn.Part;
import java.util.List;

/**
 * One parsed manifest record.
 *
 * @param id the record's id, or {@code <manifest file name>:<line>} when it has none
 * @param turns the conversation
 * @param line the original line with its provenance
 * @param fedBack whether the line came back from a quarantine; then its provenance is what the
 *     quarantine's line says, and not what this job saw
 */
public record Sample(String id, List<Turn> turns, ManifestLine line, boolean fedBack)
    implements ParsedLine {
  public Sample {
    turns = List.copyOf(turns);
  }

  /** References of all images, in reading order over the whole conversation. */
  public List<String> images() {
    return turns.stream()
        .flatMap(turn -> turn.parts().stream())
        .filter(Part.Image.class::isInstance)
        .map(part -> ((Part.Image) part).reference())
        .toList();
  }
}
