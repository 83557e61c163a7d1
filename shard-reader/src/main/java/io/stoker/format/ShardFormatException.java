package io.stoker.format;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A file of a dataset is not what this code can read. The message names the file, the block where
 * there is one, what was expected and what was found.
 */
public final class ShardFormatException extends IOException {
  private static final long serialVersionUID = 1L;

  /** What is wrong. */
  public enum Kind {
    /** The bytes break a rule of the format, or are not the bytes the index describes. */
    CORRUPT,
    /** Written by a version that this code no longer reads. */
    TOO_OLD,
    /** Written by a newer version. */
    TOO_NEW
  }

  private final Kind kind;

  private ShardFormatException(Kind kind, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  /** What is wrong. */
  public Kind kind() {
    return kind;
  }

  /** A corrupt file. */
  public static ShardFormatException corrupt(String resource, String problem) {
    return new ShardFormatException(Kind.CORRUPT, resource + ": " + problem, null);
  }

  /** A corrupt file, found by another exception. */
  public static ShardFormatException corrupt(String resource, String problem, Throwable cause) {
    return new ShardFormatException(Kind.CORRUPT, resource + ": " + problem, cause);
  }

  /** A corrupt file: some value differs from the one the format or the index demands. */
  public static ShardFormatException mismatch(
      String resource, String what, Object expected, Object found) {
    return corrupt(resource, what + ": expected " + expected + ", found " + found);
  }

  /**
   * A version outside the readable range.
   *
   * @param min oldest readable version
   * @param max newest readable version
   */
  public static ShardFormatException version(String resource, long found, int min, int max) {
    boolean old = found < min;
    return new ShardFormatException(
        old ? Kind.TOO_OLD : Kind.TOO_NEW,
        resource
            + ": format version "
            + found
            + (old ? " is too old: " : " is too new: ")
            + "this reader knows versions "
            + min
            + " to "
            + max,
        null);
  }

  /** How messages name a block of a shard. */
  public static String blockName(String shard, long offset) {
    return shard + ", block at " + offset;
  }
}
