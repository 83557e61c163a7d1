package io.stoker.format;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * An Arrow schema, restricted to what the format uses.
 *
 * @param fields the columns, in order
 * @param metadata custom metadata, sorted by key so that equal schemas have equal bytes
 */
public record ArrowSchema(List<ArrowField> fields, SortedMap<String, String> metadata) {
  public ArrowSchema {
    fields = List.copyOf(fields);
    metadata = Collections.unmodifiableSortedMap(new TreeMap<>(metadata));
  }

  /** A schema with the metadata that every file of a dataset carries, and more. */
  public static ArrowSchema of(
      List<ArrowField> fields, String format, String datasetId, Map<String, String> more) {
    SortedMap<String, String> metadata = new TreeMap<>(more);
    metadata.put(ShardFormat.FORMAT_KEY, format);
    metadata.put(ShardFormat.VERSION_KEY, Integer.toString(ShardFormat.CURRENT_VERSION));
    metadata.put(ShardFormat.DATASET_ID_KEY, datasetId);
    return new ArrowSchema(fields, metadata);
  }

  /**
   * Checks that a file with this schema is what the caller expects: format and version first, then
   * the dataset, then the columns.
   *
   * @param resource the file this schema was read from
   * @throws ShardFormatException corrupt, too old or too new
   */
  public void checkIs(String resource, ArrowSchema expected) throws ShardFormatException {
    checkMetadata(resource, ShardFormat.FORMAT_KEY, expected);
    String version = metadata.getOrDefault(ShardFormat.VERSION_KEY, "");
    if (!version.matches("[0-9]{1,9}")) {
      throw ShardFormatException.mismatch(
          resource, ShardFormat.VERSION_KEY, "a number", "'" + version + "'");
    }
    ShardFormat.checkVersion(resource, Integer.parseInt(version));
    for (String key : expected.metadata.keySet()) {
      if (!key.equals(ShardFormat.VERSION_KEY)) {
        checkMetadata(resource, key, expected);
      }
    }
    if (fields.size() != expected.fields.size()) {
      throw ShardFormatException.mismatch(
          resource, "columns", expected.fields.size(), fields.size());
    }
    for (int i = 0; i < fields.size(); i++) {
      ArrowField want = expected.fields.get(i);
      ArrowField have = fields.get(i);
      if (!have.equals(want)) {
        throw ShardFormatException.mismatch(
            resource, "column " + i, want.name() + " " + want, have.name() + " " + have);
      }
    }
  }

  private void checkMetadata(String resource, String key, ArrowSchema expected)
      throws ShardFormatException {
    String want = expected.metadata.get(key);
    String have = metadata.get(key);
    if (want != null && !want.equals(have)) {
      throw ShardFormatException.mismatch(resource, key, want, have == null ? "nothing" : have);
    }
  }
}
