package io.stoker.preprocess.sample;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.io.JsonEOFException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.stoker.preprocess.manifest.ManifestLine;
import io.stoker.preprocess.reject.RejectReason;
import io.stoker.preprocess.reject.SafeText;
import io.stoker.preprocess.reject.SampleRejectedException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Bytes of a line → one JSON object, or a rejection. Strict: valid UTF-8, no duplicate keys, no
 * bytes after the object, finite numbers, limits on nesting and sizes. Thread-safe.
 */
final class ManifestJson {
  /** A literal or a number at the very end of the line, perhaps cut. */
  private static final Pattern LAST_SCALAR = Pattern.compile("[a-z]+$|[-+.0-9eE]+$");

  private final ObjectReader reader;

  ManifestJson(SampleSettings settings) {
    JsonFactory factory =
        JsonFactory.builder()
            .streamReadConstraints(
                StreamReadConstraints.builder()
                    .maxNestingDepth(settings.maxNesting())
                    // A string or a name cannot be longer than the line that holds it.
                    .maxStringLength(settings.maxLineBytes())
                    .maxNameLength(settings.maxLineBytes())
                    .maxNumberLength(StreamReadConstraints.DEFAULT_MAX_NUM_LEN)
                    .build())
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            // Names come from strangers and must not fill the JVM's table of interned strings.
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .build();
    this.reader =
        new ObjectMapper(factory)
            .reader()
            .with(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .with(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY);
  }

  /**
   * Reads the object on a line. An object that ends too early is truncated if no line end follows.
   * Otherwise it is malformed, because the writer of the line end meant the line to be whole.
   */
  ObjectNode read(ManifestLine line) throws SampleRejectedException {
    String text = decode(line.bytes(), line.ended());
    JsonNode node;
    try {
      node = reader.readTree(text);
    } catch (JsonProcessingException e) {
      throw new SampleRejectedException(
          !line.ended() && isTruncated(text, e)
              ? RejectReason.JSON_TRUNCATED
              : RejectReason.BAD_JSON,
          "expected one JSON object, found a fault at character %d: %s"
              .formatted(
                  e.getLocation() == null ? -1 : e.getLocation().getCharOffset(),
                  SafeText.excerpt(e.getOriginalMessage())));
    }
    if (!(node instanceof ObjectNode object)) {
      throw new SampleRejectedException(
          RejectReason.BAD_JSON,
          "expected one JSON object, found "
              + (node.isArray()
                  ? "an array (neither a JSON array nor a packed manifest is read: one object a"
                      + " line)"
                  : node.isMissingNode() ? "nothing" : typeOf(node)));
    }
    refuseInfinite(object);
    return object;
  }

  private static String decode(byte[] line, boolean ended) throws SampleRejectedException {
    // A byte order mark may stand at the head of any line of a concatenated manifest.
    boolean bom =
        line.length >= 3
            && line[0] == (byte) 0xEF
            && line[1] == (byte) 0xBB
            && line[2] == (byte) 0xBF;
    ByteBuffer in = ByteBuffer.wrap(line, bom ? 3 : 0, line.length - (bom ? 3 : 0));
    CharBuffer out = CharBuffer.allocate(in.remaining());
    CharsetDecoder decoder =
        StandardCharsets.UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT);
    CoderResult result = decoder.decode(in, out, true);
    if (result.isError()) {
      boolean cutCharacter =
          !ended && in.remaining() == result.length() && startsCharacter(line, in);
      throw new SampleRejectedException(
          cutCharacter ? RejectReason.JSON_TRUNCATED : RejectReason.BAD_JSON,
          "expected UTF-8, found an invalid sequence at byte %d of the line"
              .formatted(in.position()));
    }
    return out.flip().toString();
  }

  /** Whether the bytes from the buffer's position on are the head of a longer, valid character. */
  private static boolean startsCharacter(byte[] line, ByteBuffer in) {
    int lead = line[in.position()] & 0xFF;
    int length = lead >= 0xC2 && lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    return lead >= 0xC2 && lead <= 0xF4 && in.remaining() < length;
  }

  /**
   * Whether the text ends before its object does. A line cut inside {@code true}, {@code false},
   * {@code null} or a number is a wrong token to the parser, not an early end: it is asked again
   * with a whole token there.
   */
  private boolean isTruncated(String text, JsonProcessingException first) {
    if (isEarlyEnd(first)) {
      return true;
    }
    Matcher scalar = LAST_SCALAR.matcher(text);
    if (!scalar.find() || !isHeadOfScalar(scalar.group())) {
      return false;
    }
    try {
      reader.readTree(text.substring(0, scalar.start()) + "null");
      return false;
    } catch (JsonProcessingException e) {
      return isEarlyEnd(e);
    }
  }

  /** Between two members the parser reports an early end by its message only. */
  private static boolean isEarlyEnd(JsonProcessingException e) {
    return e instanceof JsonEOFException
        || e.getOriginalMessage().startsWith("Unexpected end-of-input");
  }

  private static boolean isHeadOfScalar(String tail) {
    return !Character.isLetter(tail.charAt(0))
        || "true".startsWith(tail)
        || "false".startsWith(tail)
        || "null".startsWith(tail);
  }

  /** Refuses numbers like {@code 1e999}, which are valid JSON but have no value here. */
  private static void refuseInfinite(JsonNode root) throws SampleRejectedException {
    Deque<JsonNode> open = new ArrayDeque<>();
    open.push(root);
    while (!open.isEmpty()) {
      JsonNode node = open.pop();
      if (node.isContainerNode()) {
        node.forEach(open::push);
      } else if (node.isFloatingPointNumber() && !Double.isFinite(node.doubleValue())) {
        throw new SampleRejectedException(
            RejectReason.BAD_JSON, "expected finite numbers, found one out of range");
      }
    }
  }

  /** The JSON type of a value, for messages: {@code "number"}. */
  static String typeOf(JsonNode node) {
    return node.getNodeType().name().toLowerCase(Locale.ROOT);
  }
}
