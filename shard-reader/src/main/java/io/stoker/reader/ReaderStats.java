package io.stoker.reader;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Locale;

/**
 * What a reader has done so far. Times are nanoseconds.
 *
 * <p>Waiting is what the trainer spends inside {@link RankReader#next} and {@link Batch#close};
 * training is the rest of the wall time. The first batch is counted apart, because it contains the
 * start.
 *
 * @param batches batches delivered
 * @param waitNanos time inside {@code next()} and {@code close()}, after the first batch
 * @param trainNanos wall time between those calls
 * @param firstNanos time inside the first {@code next()}
 * @param nextP50Nanos median of {@code next()}
 * @param nextP99Nanos 99th percentile of {@code next()}
 * @param bytes bytes of the tensors delivered
 * @param waits how often {@code next()} found its batch not ready
 * @param gatheredBatches micro-batches that span blocks and had to be copied together
 * @param prefetchDepth batches the prefetcher keeps ahead at present, if the budget allows
 * @param buffered what is ahead of the trainer now
 * @param fetched where it came from
 * @param majorFaults major page faults of this process, of all its threads; -1 if unknown
 */
public record ReaderStats(
    long batches,
    long waitNanos,
    long trainNanos,
    long firstNanos,
    long nextP50Nanos,
    long nextP99Nanos,
    long bytes,
    long waits,
    long gatheredBatches,
    int prefetchDepth,
    Buffered buffered,
    Fetched fetched,
    long majorFaults) {
  private static final double TRAINER_BOUND = 0.01;

  /**
   * What is fetched or being fetched and not delivered yet.
   *
   * @param batches micro-batches
   * @param blocks blocks
   * @param bytes bytes of the blocks
   */
  public record Buffered(int batches, int blocks, long bytes) {}

  /**
   * Work of the threads behind the trainer.
   *
   * @param bytes bytes read from a remote store
   * @param requests requests to it
   * @param retries requests that had to be repeated
   * @param cacheHits blocks found in the cache
   * @param cacheMisses blocks not found there
   * @param cacheFailures blocks that could not be kept: the disk is full, or a wait was too long
   * @param storeNanos waiting for the store, summed over the threads
   * @param diskNanos waiting for local files
   * @param cpuNanos checking and gathering
   */
  public record Fetched(
      long bytes,
      long requests,
      long retries,
      long cacheHits,
      long cacheMisses,
      long cacheFailures,
      long storeNanos,
      long diskNanos,
      long cpuNanos) {}

  /** What the speed of training depends on. */
  public enum Bottleneck {
    /** The reader keeps up: the trainer itself. */
    TRAINER,
    /** The remote store. */
    STORE,
    /** The local disk or the file system under the dataset. */
    DISK,
    /** The processor: checking and gathering. */
    CPU
  }

  /** (prepare + transfer) / (prepare + transfer + train); 0 before the second batch. */
  public double waitRatio() {
    long total = waitNanos + trainNanos;
    return total <= 0 ? 0 : (double) waitNanos / total;
  }

  /** The verdict: the trainer below a wait ratio of 0.01, else what the threads waited for most. */
  public Bottleneck bottleneck() {
    if (waitRatio() < TRAINER_BOUND) {
      return Bottleneck.TRAINER;
    }
    long most = Math.max(fetched.storeNanos, Math.max(fetched.diskNanos, fetched.cpuNanos));
    return most == fetched.storeNanos
        ? Bottleneck.STORE
        : most == fetched.diskNanos ? Bottleneck.DISK : Bottleneck.CPU;
  }

  /** One line for a log. */
  public String summary() {
    return String.format(
        Locale.ROOT,
        "wait ratio %.5f, next() p50 %.1f us p99 %.1f us, %d batches, %.1f MiB ahead, depth %d,"
            + " %.1f MiB fetched, %d retries, bottleneck: %s",
        waitRatio(),
        nextP50Nanos / 1e3,
        nextP99Nanos / 1e3,
        batches,
        buffered.bytes / (double) (1 << 20),
        prefetchDepth,
        fetched.bytes / (double) (1 << 20),
        fetched.retries,
        bottleneck().name().toLowerCase(Locale.ROOT));
  }

  /** One JSON object, keys in kebab case. */
  public String toJson() {
    StringWriter out = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(out)) {
      json.writeStartObject();
      json.writeNumberField("batches", batches());
      json.writeNumberField("wait-ratio", waitRatio());
      json.writeNumberField("wait-nanos", waitNanos());
      json.writeNumberField("train-nanos", trainNanos());
      json.writeNumberField("first-nanos", firstNanos());
      json.writeNumberField("next-p50-nanos", nextP50Nanos());
      json.writeNumberField("next-p99-nanos", nextP99Nanos());
      json.writeNumberField("bytes", bytes());
      json.writeNumberField("waits", waits());
      json.writeNumberField("gathered-batches", gatheredBatches());
      json.writeNumberField("prefetch-depth", prefetchDepth());
      json.writeNumberField("buffered-batches", buffered().batches());
      json.writeNumberField("buffered-blocks", buffered().blocks());
      json.writeNumberField("buffered-bytes", buffered().bytes());
      writeFetched(json, fetched());
      json.writeNumberField("major-faults", majorFaults());
      json.writeStringField("bottleneck", bottleneck().name().toLowerCase(Locale.ROOT));
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException("writing into memory failed", e);
    }
    return out.toString();
  }

  private static void writeFetched(JsonGenerator json, Fetched fetched) throws IOException {
    json.writeNumberField("fetched-bytes", fetched.bytes());
    json.writeNumberField("requests", fetched.requests());
    json.writeNumberField("retries", fetched.retries());
    json.writeNumberField("cache-hits", fetched.cacheHits());
    json.writeNumberField("cache-misses", fetched.cacheMisses());
    json.writeNumberField("cache-failures", fetched.cacheFailures());
    json.writeNumberField("store-nanos", fetched.storeNanos());
    json.writeNumberField("disk-nanos", fetched.diskNanos());
    json.writeNumberField("cpu-nanos", fetched.cpuNanos());
  }
}
