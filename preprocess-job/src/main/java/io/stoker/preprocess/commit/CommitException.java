package io.stoker.preprocess.commit;

/** A dataset that is known not to have been published by this job. */
public final class CommitException extends Exception {
  private static final long serialVersionUID = 1L;

  /** Why nothing was published. */
  public enum Kind {
    /** Rows in are not samples written plus rejections: a bug or lost work. */
    ACCOUNTS,
    /** More rows were rejected than the settings tolerate. */
    REJECTS,
    /** Not one row could be used. */
    EMPTY,
    /** Another job published a dataset at the same place first. */
    LOST
  }

  private final Kind kind;

  CommitException(Kind kind, String message) {
    super(message);
    this.kind = kind;
  }

  public Kind kind() {
    return kind;
  }
}
