package io.stoker.reader;

/**
 * What JMX shows of a reader, under {@code io.stoker:type=RankReader,rank=…,instance=…}. Values are
 * those of {@link ReaderStats}.
 */
public interface ReaderMXBean {
  /** Batches delivered. */
  long getBatches();

  /** {@link ReaderStats#waitRatio()}. */
  double getWaitRatio();

  /** Median of {@code next()}, in nanoseconds. */
  long getNextP50Nanos();

  /** 99th percentile of {@code next()}, in nanoseconds. */
  long getNextP99Nanos();

  /** Bytes ahead of the trainer. */
  long getBufferedBytes();

  /** Bytes read from a remote store. */
  long getBytesFetched();

  /** Requests that had to be repeated. */
  long getRetries();

  /** The verdict: trainer, store, disk or cpu. */
  String getBottleneck();

  /** Everything, as JSON. */
  String getJson();
}
