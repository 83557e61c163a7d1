package io.stoker.store;

import java.util.concurrent.atomic.LongAdder;

/** Counts what a remote store is asked for. Thread-safe. */
public final class TransferCounters {
  /** Bytes of bodies that arrived complete. */
  public final LongAdder bytes = new LongAdder();

  /** Requests, repeated ones included. */
  public final LongAdder requests = new LongAdder();

  /** Requests that had to be repeated. */
  public final LongAdder retries = new LongAdder();
}
