package io.stoker.preprocess.spark;

import io.stoker.preprocess.commit.CommitException;
import org.apache.spark.SparkException;

/** A job that failed for a reason that a user can act on; the message is one clear sentence. */
public final class JobException extends Exception {
  private static final long serialVersionUID = 1L;

  /** Why, with the exit code of the process. */
  public enum Kind {
    /** Anything else. */
    FAILED(1),
    /** The command line or the configuration. */
    CONFIG(2),
    /** The manifests: missing, empty, changed or no JSON lines. */
    INPUT(3),
    /** The model directory or its chat template. */
    MODEL(4),
    /** There is a dataset at the output already. */
    EXISTS(5),
    /** Too many rows were rejected, or all of them. */
    REJECTS(6),
    /** Another job published first. */
    LOST(7),
    /** It cannot be told whether the dataset was published. */
    UNKNOWN(8),
    /** The output cannot be written, or holds unfinished work of another configuration. */
    OUTPUT(9);

    private final int exitCode;

    Kind(int exitCode) {
      this.exitCode = exitCode;
    }

    /** Exit code of the process. */
    public int exitCode() {
      return exitCode;
    }
  }

  private final Kind kind;

  JobException(Kind kind, String message, Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  JobException(Kind kind, String message) {
    super(message);
    this.kind = kind;
  }

  /** A job that published nothing, for the reason that the commit gives. */
  static JobException of(CommitException e) {
    Kind kind =
        switch (e.kind()) {
          case EXISTS -> Kind.EXISTS;
          case OUTPUT -> Kind.OUTPUT;
          case ACCOUNTS -> Kind.FAILED;
          case REJECTS, EMPTY -> Kind.REJECTS;
          case LOST -> Kind.LOST;
        };
    return new JobException(kind, String.valueOf(e.getMessage()), e);
  }

  /** Spark wraps what a task threw into a text of many lines; its first line says it. */
  static String firstLine(Exception e) {
    Throwable cause = e;
    while (cause.getCause() != null && !(cause instanceof SparkException)) {
      cause = cause.getCause();
    }
    return String.valueOf(cause.getMessage()).lines().findFirst().orElse("");
  }

  public Kind kind() {
    return kind;
  }
}
