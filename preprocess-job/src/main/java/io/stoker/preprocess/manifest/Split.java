package io.stoker.preprocess.manifest;

import java.io.Serializable;

/**
 * A byte range of a manifest. It owns the lines that start in it, also the last one's bytes beyond
 * {@code end}.
 *
 * @param manifest index of the manifest in the job's list
 * @param source the manifest
 * @param start first byte of the range
 * @param end first byte after the range
 * @param firstLine line number of the first line that starts here, 1 while it is not known yet
 */
public record Split(int manifest, Manifest source, long start, long end, long firstLine)
    implements Serializable {
  public Split {
    if (start < 0 || start >= end || end > source.bytes()) {
      throw new IllegalArgumentException(
          "expected a range inside the %d bytes of %s, found [%d, %d)"
              .formatted(source.bytes(), source.uri(), start, end));
    }
  }

  /** The same range, its first line's number now known from the splits before it. */
  public Split withFirstLine(long line) {
    return new Split(manifest, source, start, end, line);
  }
}
