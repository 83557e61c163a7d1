package io.stoker.preprocess.fetch;

import io.stoker.preprocess.reject.SafeText;
import java.util.List;

/** Where the bytes of a media object come from. */
public sealed interface MediaSource {
  /** Bytes that the manifest itself carries, in a {@code data:} URI. */
  record Inline(byte[] bytes) implements MediaSource {}

  /**
   * An object in a store.
   *
   * @param scheme {@code s3a}, {@code file} or that of another Hadoop file system
   * @param authority bucket or host; empty for local files
   * @param key the opaque key without leading slash, never normalised or decoded
   * @param roots keys of the roots that it may lie under; the key lies under one of them, and a
   *     symbolic link must not lead out of them all
   */
  record Stored(String scheme, String authority, String key, List<String> roots)
      implements MediaSource {
    public Stored {
      roots = List.copyOf(roots);
    }

    /** The URI without secrets, for messages. */
    @Override
    public String toString() {
      return SafeText.reference(scheme + "://" + authority + "/" + key);
    }
  }
}
