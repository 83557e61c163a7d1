package io.stoker.index;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import io.stoker.format.JsonDocument;
import io.stoker.format.PixelLayout;
import io.stoker.format.ShardFormat;
import io.stoker.format.ShardFormatException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** {@link Dataset} to and from JSON. */
public final class DatasetParser {
  /** Longest document that is read, in bytes. */
  public static final long MAX_BYTES = 1L << 30;

  private static final String FORMAT = "format";
  private static final String FORMAT_VERSION = "format-version";
  private static final String DATASET_ID = "dataset-id";
  private static final String SOFTWARE_VERSION = "software-version";
  private static final String COUNTS = "counts";
  private static final String PIXELS = "pixels";
  private static final String ENCODING = "encoding";
  private static final String TEMPORAL = "temporal";
  private static final String VALUE_TABLE = "value-table";
  private static final String VALUE_TABLE_CRC32C = "value-table-crc32c";
  private static final String FINGERPRINTS = "fingerprints";
  private static final String SETTINGS = "settings";
  private static final String BLOCK_TABLE = "block-table";
  private static final String SHARDS = "shards";
  private static final String NAME = "name";
  private static final String BYTES = "bytes";
  private static final String CRC32C = "crc32c";
  private static final String BLOCKS = "blocks";
  private static final int MAX_SHARDS = 1 << 24;

  private DatasetParser() {}

  /** The document: UTF-8, keys in a fixed order. Equal datasets give equal bytes. */
  public static byte[] toJson(Dataset dataset) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (JsonGenerator json = new JsonFactory().createGenerator(out)) {
      json.setPrettyPrinter(
          new DefaultPrettyPrinter().withObjectIndenter(new DefaultIndenter("  ", "\n")));
      write(json, dataset);
      json.writeRaw('\n');
    } catch (IOException e) {
      throw new UncheckedIOException("writing into memory failed", e);
    }
    return out.toByteArray();
  }

  private static void write(JsonGenerator json, Dataset dataset) throws IOException {
    json.writeStartObject();
    json.writeStringField(FORMAT, ShardFormat.DATASET_FORMAT);
    json.writeNumberField(FORMAT_VERSION, dataset.formatVersion());
    json.writeStringField(DATASET_ID, dataset.datasetId());
    json.writeStringField(SOFTWARE_VERSION, dataset.softwareVersion());
    json.writeFieldName(COUNTS);
    DatasetCountsParser.toJson(dataset.counts(), json);
    json.writeObjectFieldStart(PIXELS);
    json.writeStringField(ENCODING, dataset.pixels().encoding());
    json.writeStringField(TEMPORAL, dataset.pixels().temporal());
    json.writeEndObject();
    writeValueTable(json, dataset.valueTable());
    json.writeStringField(VALUE_TABLE_CRC32C, hex(dataset.valueTable().crc32c()));
    writeStrings(json, FINGERPRINTS, dataset.fingerprints());
    writeStrings(json, SETTINGS, dataset.settings());
    json.writeObjectFieldStart(BLOCK_TABLE);
    BlockTableFile table = dataset.blockTable();
    writeFile(json, table.name(), table.bytes(), table.crc32c());
    json.writeEndObject();
    json.writeArrayFieldStart(SHARDS);
    for (ShardEntry shard : dataset.shards()) {
      json.writeStartObject();
      writeFile(json, shard.name(), shard.bytes(), shard.crc32c());
      json.writeNumberField(BLOCKS, shard.blocks());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private static void writeValueTable(JsonGenerator json, ValueTable table) throws IOException {
    json.writeArrayFieldStart(VALUE_TABLE);
    for (int channel = 0; channel < ValueTable.CHANNELS; channel++) {
      json.writeStartArray();
      for (int raw = 0; raw < ValueTable.VALUES; raw++) {
        json.writeNumber(table.value(channel, raw));
      }
      json.writeEndArray();
    }
    json.writeEndArray();
  }

  private static void writeStrings(JsonGenerator json, String key, Map<String, String> map)
      throws IOException {
    json.writeObjectFieldStart(key);
    for (Map.Entry<String, String> entry : map.entrySet()) {
      json.writeStringField(entry.getKey(), entry.getValue());
    }
    json.writeEndObject();
  }

  private static void writeFile(JsonGenerator json, String name, long bytes, long crc32c)
      throws IOException {
    json.writeStringField(NAME, name);
    json.writeNumberField(BYTES, bytes);
    json.writeStringField(CRC32C, hex(crc32c));
  }

  private static String hex(long crc32c) {
    return HexFormat.of().toHexDigits(crc32c, 8);
  }

  /**
   * Reads a document. Keys it does not know are ignored.
   *
   * @param resource where the document came from, for messages
   * @throws ShardFormatException corrupt, too old or too new
   */
  public static Dataset fromJson(String resource, byte[] json) throws ShardFormatException {
    try {
      return new Reading(resource, json).read();
    } catch (ShardFormatException e) {
      // A document of another version may have another shape: name the version, not the shape.
      checkVersion(resource, json);
      throw e;
    }
  }

  /** Fails if the document is of a version this code does not know. */
  private static void checkVersion(String resource, byte[] json) throws ShardFormatException {
    JsonDocument reader = new JsonDocument(resource, json);
    reader.document(
        key -> {
          if (key.equals(FORMAT_VERSION)) {
            ShardFormat.checkVersion(resource, reader.integer());
            return true;
          }
          return false;
        });
  }

  /** The values of one document, as far as they have been seen. */
  private static final class Reading {
    private final String resource;
    private final JsonDocument json;
    private @Nullable Integer version;
    private @Nullable String format;
    private @Nullable String datasetId;
    private @Nullable String softwareVersion;
    private @Nullable DatasetCounts counts;
    private @Nullable PixelLayout pixels;
    private @Nullable ValueTable valueTable;
    private @Nullable Long valueTableCrc32c;
    private SortedMap<String, String> fingerprints = new TreeMap<>();
    private SortedMap<String, String> settings = new TreeMap<>();
    private @Nullable BlockTableFile blockTable;
    private @Nullable List<ShardEntry> shards;

    Reading(String resource, byte[] document) throws ShardFormatException {
      this.resource = resource;
      this.json = new JsonDocument(resource, document);
    }

    Dataset read() throws ShardFormatException {
      json.document(this::member);
      if (!json.require(FORMAT, format).equals(ShardFormat.DATASET_FORMAT)) {
        throw ShardFormatException.mismatch(
            resource, FORMAT, ShardFormat.DATASET_FORMAT, json.require(FORMAT, format));
      }
      long table = json.require(VALUE_TABLE, valueTable).crc32c();
      if (valueTableCrc32c != null && valueTableCrc32c != table) {
        throw ShardFormatException.mismatch(
            resource, VALUE_TABLE_CRC32C, hex(valueTableCrc32c), hex(table));
      }
      try {
        return new Dataset(
            json.require(FORMAT_VERSION, version),
            json.require(DATASET_ID, datasetId),
            json.require(SOFTWARE_VERSION, softwareVersion),
            json.require(COUNTS, counts),
            json.require(PIXELS, pixels),
            json.require(VALUE_TABLE, valueTable),
            fingerprints,
            settings,
            json.require(BLOCK_TABLE, blockTable),
            json.require(SHARDS, shards));
      } catch (IllegalArgumentException e) {
        throw ShardFormatException.corrupt(resource, String.valueOf(e.getMessage()), e);
      }
    }

    private boolean member(String key) throws IOException {
      switch (key) {
        case FORMAT -> format = json.string();
        case FORMAT_VERSION -> {
          long found = json.integer();
          ShardFormat.checkVersion(resource, found);
          version = (int) found;
        }
        case DATASET_ID -> datasetId = json.string();
        case SOFTWARE_VERSION -> softwareVersion = json.string();
        case COUNTS -> counts = DatasetCountsParser.fromJson(json);
        case PIXELS -> pixels = pixels();
        case VALUE_TABLE -> valueTable = valueTable();
        case VALUE_TABLE_CRC32C -> valueTableCrc32c = crc32c(json.string());
        case FINGERPRINTS -> fingerprints = json.strings();
        case SETTINGS -> settings = json.strings();
        case BLOCK_TABLE -> {
          Map<String, Object> file = file();
          blockTable =
              new BlockTableFile(text(file, NAME), number(file, BYTES), number(file, CRC32C));
        }
        case SHARDS -> shards = shards();
        default -> {
          return false;
        }
      }
      return true;
    }

    private PixelLayout pixels() throws IOException {
      SortedMap<String, String> names = json.strings();
      return PixelLayout.of(
          json.require(ENCODING, names.get(ENCODING)), json.require(TEMPORAL, names.get(TEMPORAL)));
    }

    private ValueTable valueTable() throws IOException {
      List<float[]> channels = new ArrayList<>();
      json.array(
          ValueTable.CHANNELS,
          () -> {
            float[] values = new float[ValueTable.VALUES];
            int[] count = {0};
            json.array(values.length, () -> values[count[0]++] = json.number());
            channels.add(Arrays.copyOf(values, count[0]));
          });
      return ValueTable.of(channels.toArray(float[][]::new));
    }

    private List<ShardEntry> shards() throws IOException {
      List<ShardEntry> entries = new ArrayList<>();
      json.array(
          MAX_SHARDS,
          () -> {
            Map<String, Object> file = file();
            entries.add(
                new ShardEntry(
                    text(file, NAME),
                    number(file, BYTES),
                    number(file, CRC32C),
                    (int) Math.min(Integer.MAX_VALUE, number(file, BLOCKS))));
          });
      return entries;
    }

    /** The members of a block table or shard: strings and numbers. */
    private Map<String, Object> file() throws IOException {
      Map<String, Object> file = new HashMap<>();
      json.object(
          key -> {
            switch (key) {
              case NAME -> file.put(key, json.string());
              case BYTES, BLOCKS -> file.put(key, json.count());
              case CRC32C -> file.put(key, crc32c(json.string()));
              default -> {
                return false;
              }
            }
            return true;
          });
      return file;
    }

    private long crc32c(String hex) throws ShardFormatException {
      if (!hex.matches("[0-9a-f]{8}")) {
        throw ShardFormatException.mismatch(resource, CRC32C, "8 hex digits", hex);
      }
      return Long.parseLong(hex, 16);
    }

    private String text(Map<String, Object> file, String key) throws ShardFormatException {
      return (String) json.require(key, file.get(key));
    }

    private long number(Map<String, Object> file, String key) throws ShardFormatException {
      return (Long) json.require(key, file.get(key));
    }
  }
}
