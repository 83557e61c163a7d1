package io.stoker.preprocess.task;

/** Hears from a task how far it is. For people only: accounts come from what tasks return. */
public interface Progress {
  /** A row was written as a sample. */
  void written(long bytesIn);

  /** A row was rejected. */
  void rejected();

  /** Bytes went to the store. */
  void stored(long bytes);
}
