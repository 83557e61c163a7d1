package io.stoker.preprocess.fetch;

import io.stoker.preprocess.sample.Rejection;
import io.stoker.preprocess.sample.Sample;
import java.util.List;

/** What became of a manifest line once its media were asked for. */
public sealed interface FetchedLine {
  /**
   * A sample whose media are here.
   *
   * @param media encoded bytes, one per image in reading order
   */
  record Ready(Sample sample, List<byte[]> media) implements FetchedLine {
    public Ready {
      media = List.copyOf(media);
    }

    /** Encoded bytes of all media. */
    public long bytes() {
      return media.stream().mapToLong(bytes -> bytes.length).sum();
    }
  }

  /** A line that cannot be used. */
  record Rejected(Rejection rejection) implements FetchedLine {}
}
