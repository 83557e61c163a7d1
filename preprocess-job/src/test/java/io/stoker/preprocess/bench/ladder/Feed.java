package io.stoker.preprocess.bench.ladder;

/** What a training loop asks for its batches. */
interface Feed extends AutoCloseable {
  /**
   * Waits for the next batch; returns how many samples it has. The batch is given back by the next
   * call.
   */
  int next() throws Exception;

  @Override
  default void close() throws Exception {}
}
