package io.stoker.preprocess.sample;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.stoker.preprocess.manifest.ManifestLine;
import io.stoker.preprocess.manifest.Provenance;
import io.stoker.preprocess.reject.RejectReason;
import io.stoker.preprocess.reject.SafeText;
import io.stoker.preprocess.reject.SampleRejectedException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A line of a quarantine object that is fed back as a manifest: the row inside is read as the line
 * it once was. What it says of its origin is a claim, not a fact: code that resolves paths against
 * that manifest's directory must check it.
 */
final class RejectedLine {
  private static final String TEXT = "record";
  private static final String BASE64 = "record-base64";
  private static final Set<String> FRAME = Set.of("reason", "detail", "manifest", "offset", "line");

  private RejectedLine() {}

  /**
   * The row inside, or null if the object is no line of a quarantine.
   *
   * @throws SampleRejectedException if it is one and damaged
   */
  static @Nullable ManifestLine unwrap(ObjectNode object) throws SampleRejectedException {
    Set<String> names = new HashSet<>();
    object.fieldNames().forEachRemaining(names::add);
    boolean text = names.remove(TEXT);
    boolean base64 = names.remove(BASE64);
    if (text == base64 || !names.equals(FRAME)) {
      return null;
    }
    String manifest = object.path("manifest").asText();
    JsonNode record = object.path(text ? TEXT : BASE64);
    boolean sound =
        object.path("manifest").isTextual()
            && isPlain(manifest)
            && isCount(object.path("offset"))
            && isCount(object.path("line"))
            && record.isTextual();
    if (!sound) {
      throw new SampleRejectedException(
          RejectReason.BAD_TYPE,
          "expected a rejected row with manifest, offset, line and record, found another type in one of them");
    }
    if (text && !StandardCharsets.UTF_8.newEncoder().canEncode(record.textValue())) {
      throw new SampleRejectedException(
          RejectReason.BAD_TEXT, "expected Unicode text in record, found half a surrogate pair");
    }
    try {
      byte[] bytes =
          text ? record.textValue().getBytes(StandardCharsets.UTF_8) : record.binaryValue();
      return new ManifestLine(
          new Provenance(
              manifest, object.path("offset").longValue(), object.path("line").longValue()),
          bytes,
          true);
    } catch (IOException e) {
      throw new SampleRejectedException(
          RejectReason.BAD_TYPE, "expected base64 in record-base64, found something else");
    }
  }

  private static boolean isCount(JsonNode number) {
    return number.canConvertToLong() && number.isIntegralNumber() && number.longValue() >= 0;
  }

  /** The name ends up in messages and logs. */
  private static boolean isPlain(String name) {
    return SafeText.isPlain(name) && StandardCharsets.UTF_8.newEncoder().canEncode(name);
  }
}
