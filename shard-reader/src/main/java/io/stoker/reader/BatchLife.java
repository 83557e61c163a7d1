package io.stoker.reader;

/** Whether a batch is open. Its packs and tensors ask before they hand anything out. */
final class BatchLife {
  private final long step;
  private final int lane;
  private volatile boolean closed;

  BatchLife(long step, int lane) {
    this.step = step;
    this.lane = lane;
  }

  void checkOpen() {
    if (closed) {
      throw new AlreadyClosedException(
          "the batch of step " + step + ", lane " + lane + " is closed");
    }
  }

  /** Ends it; returns whether it was open. */
  boolean end() {
    boolean open = !closed;
    closed = true;
    return open;
  }
}
