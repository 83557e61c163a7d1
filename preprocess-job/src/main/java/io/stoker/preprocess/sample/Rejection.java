package io.stoker.preprocess.sample;

import io.stoker.preprocess.manifest.ManifestLine;
import io.stoker.preprocess.reject.RejectReason;
import io.stoker.preprocess.reject.SampleRejectedException;
import java.io.Serializable;

/**
 * A record that cannot be used, as a value.
 *
 * @param reason why
 * @param detail what was expected and what was found, in one line
 * @param line the original line with its provenance
 */
public record Rejection(RejectReason reason, String detail, ManifestLine line)
    implements ParsedLine, Serializable {

  /** The rejection of a line that a stage refused. */
  public static Rejection of(SampleRejectedException refusal, ManifestLine line) {
    return new Rejection(refusal.reason(), refusal.detail(), line);
  }
}
