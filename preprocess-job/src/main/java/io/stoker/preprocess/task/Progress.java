package io.stoker.preprocess.task;

/** Told by a task how it comes along; for people only, never for accounts. */
public interface Progress {
  /** A row was written as a sample. */
  void written(long bytesIn);

  /** A row was rejected. */
  void rejected();

  /** Bytes went to the store. */
  void stored(long bytes);
}
