package io.stoker.preprocess.fetch;

import io.stoker.preprocess.reject.SampleRejectedException;
import java.io.IOException;

/**
 * Gets whole objects. Implementations are thread-safe and live as long as their executor; they own
 * no clients, those belong to the file system that the user's settings configured.
 */
interface ObjectStore {
  /**
   * Reads an object.
   *
   * @param maxBytes longest object that is accepted
   * @throws SampleRejectedException if the object does not exist or is longer than that
   * @throws IOException if the store cannot answer: never the record's fault
   */
  byte[] get(MediaSource.Stored source, long maxBytes) throws IOException, SampleRejectedException;
}
