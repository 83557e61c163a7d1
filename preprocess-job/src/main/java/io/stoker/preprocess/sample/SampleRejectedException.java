package io.stoker.preprocess.sample;

/**
 * Thrown by a stage that finds a sample unusable; the task turns it into a {@link Rejection}. It
 * never stands for a fault of the environment.
 */
public final class SampleRejectedException extends Exception {
  private static final long serialVersionUID = 1L;

  private final RejectReason reason;

  public SampleRejectedException(RejectReason reason, String detail) {
    super(detail, null, false, false);
    this.reason = reason;
  }

  public RejectReason reason() {
    return reason;
  }

  /** What was expected and what was found, in one line. */
  public String detail() {
    return String.valueOf(getMessage());
  }
}
