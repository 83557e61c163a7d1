package io.stoker.preprocess.commit;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.stoker.index.BlockEntry;
import io.stoker.index.ShardEntry;
import io.stoker.preprocess.measure.Counts;
import io.stoker.preprocess.measure.Stage;
import io.stoker.preprocess.measure.StageTimes;
import io.stoker.preprocess.shard.StagedShard;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** {@link StagedPartition} ↔ JSON: the durable record of a finished partition. */
final class StagedPartitionParser {
  private static final String PARTITION = "partition";
  private static final String SHARDS = "shards";
  private static final String REJECTS_FILE = "rejects-file";
  private static final String COUNTS = "counts";
  private static final String NANOS = "nanos";
  private static final String REJECTS = "rejects";
  private static final List<String> COUNTERS =
      List.of(
          "rows",
          "samples",
          "packs",
          "tokens",
          "supervised-tokens",
          "patches",
          "bytes-in",
          "bytes-out");

  private StagedPartitionParser() {}

  static byte[] toJson(StagedPartition partition) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JsonGenerator json = new JsonFactory().createGenerator(bytes)) {
      json.writeStartObject();
      json.writeNumberField(PARTITION, partition.partition());
      if (partition.rejects() != null) {
        json.writeStringField(REJECTS_FILE, partition.rejects());
      }
      writeCounts(json, partition.counts());
      json.writeObjectFieldStart(NANOS);
      for (Stage stage : Stage.values()) {
        json.writeNumberField(stage.label(), partition.times().nanos().getOrDefault(stage, 0L));
      }
      json.writeEndObject();
      json.writeArrayFieldStart(SHARDS);
      for (StagedShard shard : partition.shards()) {
        writeShard(json, shard);
      }
      json.writeEndArray();
      json.writeEndObject();
    }
    return bytes.toByteArray();
  }

  private static void writeCounts(JsonGenerator json, Counts counts) throws IOException {
    long[] values = {
      counts.rows(),
      counts.samples(),
      counts.packs(),
      counts.tokens(),
      counts.supervisedTokens(),
      counts.patches(),
      counts.bytesIn(),
      counts.bytesOut()
    };
    json.writeObjectFieldStart(COUNTS);
    for (int i = 0; i < values.length; i++) {
      json.writeNumberField(COUNTERS.get(i), values[i]);
    }
    json.writeObjectFieldStart(REJECTS);
    for (Map.Entry<String, Long> reason : counts.rejects().entrySet()) {
      json.writeNumberField(reason.getKey(), reason.getValue());
    }
    json.writeEndObject();
    json.writeEndObject();
  }

  private static void writeShard(JsonGenerator json, StagedShard shard) throws IOException {
    json.writeStartObject();
    json.writeStringField("name", shard.entry().name());
    json.writeNumberField("bytes", shard.entry().bytes());
    json.writeNumberField("crc32c", shard.entry().crc32c());
    json.writeArrayFieldStart("blocks");
    for (BlockEntry block : shard.blocks()) {
      // offset, length, packs, samples, tokens, patches, crc32c
      long[] row = {
        block.offset(),
        block.length(),
        block.packs(),
        block.samples(),
        block.tokens(),
        block.patches(),
        block.crc32c()
      };
      json.writeArray(row, 0, row.length);
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  /**
   * Reads a record.
   *
   * @throws IOException if it is not one
   */
  static StagedPartition fromJson(String resource, byte[] json) throws IOException {
    try {
      JsonNode root = new ObjectMapper().readTree(json);
      List<StagedShard> shards = new ArrayList<>();
      for (JsonNode shard : root.required(SHARDS)) {
        shards.add(readShard(shard));
      }
      Map<Stage, Long> nanos = new EnumMap<>(Stage.class);
      for (Stage stage : Stage.values()) {
        nanos.put(stage, root.required(NANOS).path(stage.label()).asLong());
      }
      return new StagedPartition(
          root.required(PARTITION).intValue(),
          shards,
          root.path(REJECTS_FILE).textValue(),
          readCounts(root.required(COUNTS)),
          new StageTimes(nanos));
    } catch (IllegalArgumentException | IOException e) {
      throw new IOException(
          "expected the record of a finished partition in %s, found something else: %s"
              .formatted(resource, e.getMessage()),
          e);
    }
  }

  private static Counts readCounts(JsonNode counts) {
    long[] v = COUNTERS.stream().mapToLong(name -> counts.required(name).longValue()).toArray();
    Map<String, Long> rejects = new TreeMap<>();
    counts
        .required(REJECTS)
        .properties()
        .forEach(e -> rejects.put(e.getKey(), e.getValue().longValue()));
    return new Counts(v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], rejects);
  }

  private static StagedShard readShard(JsonNode shard) {
    List<BlockEntry> blocks = new ArrayList<>();
    for (JsonNode row : shard.required("blocks")) {
      blocks.add(
          new BlockEntry(
              row.required(0).longValue(),
              row.required(1).longValue(),
              row.required(2).intValue(),
              row.required(3).intValue(),
              row.required(4).longValue(),
              row.required(5).longValue(),
              row.required(6).longValue()));
    }
    ShardEntry entry =
        new ShardEntry(
            shard.required("name").textValue(),
            shard.required("bytes").longValue(),
            shard.required("crc32c").longValue(),
            blocks.size());
    return new StagedShard(entry, blocks);
  }
}
