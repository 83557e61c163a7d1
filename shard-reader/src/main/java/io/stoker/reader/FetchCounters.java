package io.stoker.reader;

import io.stoker.store.TransferCounters;
import java.util.concurrent.atomic.LongAdder;

/** What the threads behind a reader count. Thread-safe. */
final class FetchCounters {
  final TransferCounters transfers = new TransferCounters();
  final LongAdder cacheHits = new LongAdder();
  final LongAdder cacheMisses = new LongAdder();
  final LongAdder cacheFailures = new LongAdder();
  final LongAdder gathered = new LongAdder();

  /** Waiting for the store, in nanoseconds summed over the threads. */
  final LongAdder storeNanos = new LongAdder();

  /** Waiting for pages of local files and writing them. */
  final LongAdder diskNanos = new LongAdder();

  /** Computing checksums, checking and gathering. */
  final LongAdder cpuNanos = new LongAdder();
}
