package io.stoker.plan;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.stoker.format.JsonDocument;
import io.stoker.format.ShardFormatException;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * {@link Cursor} to and from JSON. A cursor has a version of its own: it rises when an older reader
 * would resume at other packs, and has nothing to do with that of the dataset.
 */
public final class CursorParser {
  /** The oldest version this code reads. */
  public static final int MIN_VERSION = 1;

  /** The version this code writes, and the newest it reads. */
  public static final int CURRENT_VERSION = 1;

  private static final String RESOURCE = "cursor";
  // A few hundred bytes are usual; the id of a dataset is all that varies much.
  private static final int MAX_CHARS = 4096;
  private static final String CURSOR_FORMAT = "stoker-cursor";
  private static final String FORMAT = "format";
  private static final String FORMAT_VERSION = "format-version";
  private static final String DATASET_ID = "dataset-id";
  private static final String SEED = "seed";
  private static final String EPOCH = "epoch";
  private static final String STEP = "step";
  private static final String LANES = "lanes";
  private static final String MICRO_BATCH = "micro-batch";
  private static final String REMAINDER = "remainder";

  private CursorParser() {}

  /** One line of JSON; equal cursors give equal text. */
  public static String toJson(Cursor cursor) {
    StringWriter out = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(out)) {
      json.writeStartObject();
      json.writeStringField(FORMAT, CURSOR_FORMAT);
      json.writeNumberField(FORMAT_VERSION, CURRENT_VERSION);
      json.writeStringField(DATASET_ID, cursor.datasetId());
      json.writeNumberField(SEED, cursor.seed());
      json.writeNumberField(EPOCH, cursor.epoch());
      json.writeNumberField(STEP, cursor.step());
      json.writeNumberField(LANES, cursor.lanes());
      json.writeNumberField(MICRO_BATCH, cursor.microBatch());
      json.writeStringField(REMAINDER, cursor.remainder().word());
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException("writing into memory failed", e);
    }
    return out.toString();
  }

  /**
   * Reads a cursor. Keys it does not know are ignored.
   *
   * @throws ShardFormatException corrupt, too old or too new
   */
  public static Cursor fromJson(String text) throws ShardFormatException {
    if (text.length() > MAX_CHARS) {
      throw ShardFormatException.mismatch(
          RESOURCE, "length", "at most " + MAX_CHARS, text.length());
    }
    byte[] document = text.getBytes(StandardCharsets.UTF_8);
    // This comes first, because a cursor of another version may have another shape.
    checkFormat(document);
    JsonDocument json = new JsonDocument(RESOURCE, document);
    Map<String, String> strings = new HashMap<>();
    Map<String, Long> numbers = new HashMap<>();
    json.document(
        key -> {
          switch (key) {
            case DATASET_ID, REMAINDER -> strings.put(key, json.string());
            case SEED -> numbers.put(key, json.integer());
            case EPOCH, STEP -> numbers.put(key, json.count());
            case LANES, MICRO_BATCH -> numbers.put(key, (long) json.intCount());
            default -> {
              return false;
            }
          }
          return true;
        });
    try {
      return new Cursor(
          json.require(DATASET_ID, strings.get(DATASET_ID)),
          json.require(SEED, numbers.get(SEED)),
          json.require(EPOCH, numbers.get(EPOCH)),
          json.require(STEP, numbers.get(STEP)),
          (int) (long) json.require(LANES, numbers.get(LANES)),
          (int) (long) json.require(MICRO_BATCH, numbers.get(MICRO_BATCH)),
          Remainder.of(json.require(REMAINDER, strings.get(REMAINDER))));
    } catch (IllegalArgumentException e) {
      throw ShardFormatException.corrupt(RESOURCE, String.valueOf(e.getMessage()), e);
    }
  }

  private static void checkFormat(byte[] document) throws ShardFormatException {
    JsonDocument json = new JsonDocument(RESOURCE, document);
    Map<String, Object> found = new HashMap<>();
    json.document(
        key -> {
          switch (key) {
            case FORMAT -> found.put(key, json.string());
            case FORMAT_VERSION -> found.put(key, json.integer());
            default -> {
              return false;
            }
          }
          return true;
        });
    Object format = json.require(FORMAT, found.get(FORMAT));
    if (!format.equals(CURSOR_FORMAT)) {
      throw ShardFormatException.mismatch(RESOURCE, FORMAT, CURSOR_FORMAT, format);
    }
    long version = (Long) json.require(FORMAT_VERSION, found.get(FORMAT_VERSION));
    if (version < MIN_VERSION || version > CURRENT_VERSION) {
      throw ShardFormatException.version(RESOURCE, version, MIN_VERSION, CURRENT_VERSION);
    }
  }
}
