package io.stoker.preprocess.spark;

/** Told by a task how it comes along; for people only, never for accounts. */
interface Progress {
  /** A row was written as a sample. */
  void written(long bytesIn);

  /** A row was rejected. */
  void rejected();

  /** Bytes went to the store. */
  void stored(long bytes);
}
