package io.stoker.preprocess.commit;

/** A dataset that is known not to have been published by this job. */
public final class CommitException extends Exception {
  private static final long serialVersionUID = 1L;

  /** Why nothing was published. */
  public enum Kind {
    /** There is another dataset at the output already. */
    EXISTS,
    /** The output cannot be written, or holds unfinished work of another configuration. */
    OUTPUT,
    /** The rows taken are not the samples written plus the rejections: a bug or lost work. */
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

  CommitException(Kind kind, String message, Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  public Kind kind() {
    return kind;
  }
}
