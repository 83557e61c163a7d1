package io.stoker.preprocess.sample;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.stoker.preprocess.manifest.ManifestLine;
import io.stoker.preprocess.reject.RejectReason;
import io.stoker.preprocess.reject.SampleRejectedException;

/**
 * Reads manifest lines in any of the supported dialects (see the package description).
 *
 * <p>Immutable and thread-safe; one per executor is enough.
 */
public final class SampleParser {
  private final int maxLineBytes;
  private final ManifestJson json;
  private final RecordReader reader;

  public SampleParser(SampleSettings settings) {
    this.maxLineBytes = settings.maxLineBytes();
    this.json = new ManifestJson(settings);
    this.reader = new RecordReader(settings);
  }

  /**
   * Reads one line. Whatever the line holds, the answer is a value: content never makes this method
   * throw.
   *
   * @param line a line; a manifest reader that cuts over-long lines may hand over the first {@code
   *     maxLineBytes + 1} bytes
   */
  public ParsedLine parse(ManifestLine line) {
    return parse(line, false);
  }

  private ParsedLine parse(ManifestLine line, boolean fedBack) {
    try {
      if (line.bytes().length > maxLineBytes) {
        throw new SampleRejectedException(
            RejectReason.LINE_TOO_LONG,
            "expected at most %d bytes, found more".formatted(maxLineBytes));
      }
      ObjectNode record = json.read(line);
      ManifestLine inner = fedBack ? null : RejectedLine.unwrap(record);
      // Rejected again, the row is kept as it was, with its first origin.
      return inner == null ? reader.read(record, line, fedBack) : parse(inner, true);
    } catch (SampleRejectedException e) {
      return Rejection.of(e, line);
    }
  }
}
