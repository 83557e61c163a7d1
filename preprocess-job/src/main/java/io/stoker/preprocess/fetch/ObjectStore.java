package io.stoker.preprocess.fetch;

import io.stoker.preprocess.reject.SampleRejectedException;
import java.io.IOException;

/** Gets whole objects, with one attempt each. Thread-safe; lives as long as its executor. */
interface ObjectStore extends AutoCloseable {
  /**
   * Reads an object.
   *
   * @param maxBytes longest object that is accepted
   * @throws SampleRejectedException if the object does not exist or is longer than that
   * @throws io.stoker.store.StoreFault if the store cannot answer; its kind says whether to ask
   *     again
   * @throws IOException if something else is wrong that is not the record's fault
   */
  byte[] get(MediaSource.Stored source, long maxBytes) throws IOException, SampleRejectedException;

  /** Ends what is under way. */
  @Override
  default void close() {}
}
