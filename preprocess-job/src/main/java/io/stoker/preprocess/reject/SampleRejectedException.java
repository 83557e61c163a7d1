package io.stoker.preprocess.reject;

/**
 * Thrown by a stage that finds a sample unusable; the task then sets the row aside. It never stands
 * for a fault of the environment.
 */
public final class SampleRejectedException extends Exception {
  private static final long serialVersionUID = 1L;

  private final RejectReason reason;

  public SampleRejectedException(RejectReason reason, String detail) {
    super(detail, null, false, false);
    this.reason = reason;
  }

  /**
   * The same with a detail that says which image of the sample it is about. The detail of a sample
   * with one image stays as it is.
   *
   * @param index from 0, in reading order
   * @param count images of the sample
   */
  public SampleRejectedException ofImage(int index, int count) {
    return count == 1
        ? this
        : new SampleRejectedException(
            reason, "image %d of %d: %s".formatted(index + 1, count, detail()));
  }

  public RejectReason reason() {
    return reason;
  }

  /** What was expected and what was found, in one line. */
  public String detail() {
    return String.valueOf(getMessage());
  }
}
