package io.stoker.format;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.IOException;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A pull reader over one JSON document that turns every problem, in syntax, types or limits, into a
 * {@link ShardFormatException} that names the document and the key. Duplicate keys are refused,
 * unknown keys skipped. Not thread-safe.
 */
public final class JsonDocument {
  private static final int MAX_STRING = 1 << 16;
  private static final int MAX_DEPTH = 16;
  private static final int MAX_NUMBER = 32;
  private static final int MAX_MAP = 4096;
  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxStringLength(MAX_STRING)
                  .maxNameLength(MAX_STRING)
                  .maxNestingDepth(MAX_DEPTH)
                  .maxNumberLength(MAX_NUMBER)
                  .build())
          .build();

  /** Consumes the members of one object. */
  @FunctionalInterface
  public interface Members {
    /**
     * Reads the value of one member.
     *
     * @return false if the key is unknown and nothing was read
     */
    boolean member(String key) throws IOException;
  }

  /** Consumes one element of an array. */
  @FunctionalInterface
  public interface Element {
    /** Reads the element. */
    void element() throws IOException;
  }

  private final String resource;
  private final JsonParser parser;
  // Whether the parser already stands on the value to be read next, as it does inside an array.
  private boolean peeked;

  /**
   * Opens a document.
   *
   * @param resource its name, for messages
   */
  public JsonDocument(String resource, byte[] json) throws ShardFormatException {
    this.resource = resource;
    try {
      this.parser = FACTORY.createParser(json);
    } catch (IOException e) {
      throw ShardFormatException.corrupt(resource, "not valid JSON", e);
    }
  }

  /** Reads the whole document, which is one object. */
  public void document(Members members) throws ShardFormatException {
    try (parser) {
      object(members);
      if (parser.nextToken() != null) {
        throw ShardFormatException.corrupt(resource, "something follows the JSON object");
      }
    } catch (ShardFormatException e) {
      throw e;
    } catch (IOException e) {
      throw ShardFormatException.corrupt(resource, "not valid JSON", e);
    } catch (IllegalArgumentException e) {
      // The compact constructors of the records that are being read throw this.
      throw ShardFormatException.corrupt(resource, String.valueOf(e.getMessage()), e);
    }
  }

  /** Reads an object. */
  public void object(Members members) throws IOException {
    expect(JsonToken.START_OBJECT, "an object");
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      if (!members.member(parser.currentName())) {
        parser.nextToken();
        parser.skipChildren();
      }
    }
  }

  /** Reads an array of at most {@code limit} elements. */
  public void array(int limit, Element element) throws IOException {
    expect(JsonToken.START_ARRAY, "an array");
    for (int count = 0; parser.nextToken() != JsonToken.END_ARRAY; count++) {
      if (count == limit) {
        throw problem("at most " + limit + " elements", "more");
      }
      peeked = true;
      element.element();
    }
  }

  /** Reads a string. */
  public String string() throws IOException {
    expect(JsonToken.VALUE_STRING, "a string");
    return parser.getText();
  }

  /** Reads an integer in [0, 2^63). */
  public long count() throws IOException {
    long value = integer();
    if (value < 0) {
      throw problem("a number that is not negative", Long.toString(value));
    }
    return value;
  }

  /** Reads an integer in [0, 2^31). */
  public int intCount() throws IOException {
    long value = count();
    if (value > Integer.MAX_VALUE) {
      throw problem("a number below 2^31", Long.toString(value));
    }
    return (int) value;
  }

  /** Reads a 64-bit integer. */
  public long integer() throws IOException {
    expect(JsonToken.VALUE_NUMBER_INT, "an integer");
    return parser.getLongValue();
  }

  /** Reads a number as the nearest float. */
  public float number() throws IOException {
    JsonToken token = next();
    if (token != JsonToken.VALUE_NUMBER_INT && token != JsonToken.VALUE_NUMBER_FLOAT) {
      throw problem("a number", text(token));
    }
    return parser.getFloatValue();
  }

  /** Reads an object whose values are counts. */
  public SortedMap<String, Long> counts() throws IOException {
    SortedMap<String, Long> map = new TreeMap<>();
    object(key -> put(map, key, count()));
    return map;
  }

  /** Reads an object whose values are strings. */
  public SortedMap<String, String> strings() throws IOException {
    SortedMap<String, String> map = new TreeMap<>();
    object(key -> put(map, key, string()));
    return map;
  }

  private <V> boolean put(Map<String, V> map, String key, V value) throws IOException {
    if (map.size() == MAX_MAP) {
      throw problem("at most " + MAX_MAP + " members", "more");
    }
    map.put(key, value);
    return true;
  }

  /** The value of a key that must be there. */
  public <T> T require(String key, @Nullable T value) throws ShardFormatException {
    if (value == null) {
      throw ShardFormatException.corrupt(resource, "key " + key + " is missing");
    }
    return value;
  }

  private JsonToken next() throws IOException {
    JsonToken token = peeked ? parser.currentToken() : parser.nextToken();
    peeked = false;
    if (token == null) {
      throw problem("a value", "the end");
    }
    return token;
  }

  private void expect(JsonToken want, String description) throws IOException {
    JsonToken have = next();
    if (have != want) {
      throw problem(description, text(have));
    }
  }

  private String text(JsonToken token) throws IOException {
    String text = token.isScalarValue() ? parser.getText() : token.asString();
    return text == null ? token.name() : text.length() <= 64 ? text : text.substring(0, 64) + "…";
  }

  private ShardFormatException problem(String expected, String found) {
    return ShardFormatException.mismatch(
        resource, parser.getParsingContext().pathAsPointer().toString(), expected, found);
  }
}
