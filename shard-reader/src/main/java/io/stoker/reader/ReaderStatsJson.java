package io.stoker.reader;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Locale;

/** {@link ReaderStats} to JSON. */
final class ReaderStatsJson {
  private ReaderStatsJson() {}

  static String toJson(ReaderStats stats) {
    StringWriter out = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(out)) {
      json.writeStartObject();
      json.writeNumberField("batches", stats.batches());
      json.writeNumberField("wait-ratio", stats.waitRatio());
      json.writeNumberField("wait-nanos", stats.waitNanos());
      json.writeNumberField("train-nanos", stats.trainNanos());
      json.writeNumberField("first-nanos", stats.firstNanos());
      json.writeNumberField("next-p50-nanos", stats.nextP50Nanos());
      json.writeNumberField("next-p99-nanos", stats.nextP99Nanos());
      json.writeNumberField("bytes", stats.bytes());
      json.writeNumberField("waits", stats.waits());
      json.writeNumberField("gathered-batches", stats.gatheredBatches());
      json.writeNumberField("prefetch-depth", stats.prefetchDepth());
      json.writeNumberField("buffered-batches", stats.buffered().batches());
      json.writeNumberField("buffered-blocks", stats.buffered().blocks());
      json.writeNumberField("buffered-bytes", stats.buffered().bytes());
      writeFetched(json, stats.fetched());
      json.writeNumberField("major-faults", stats.majorFaults());
      json.writeStringField("bottleneck", stats.bottleneck().name().toLowerCase(Locale.ROOT));
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException("writing into memory failed", e);
    }
    return out.toString();
  }

  private static void writeFetched(JsonGenerator json, ReaderStats.Fetched fetched)
      throws IOException {
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
