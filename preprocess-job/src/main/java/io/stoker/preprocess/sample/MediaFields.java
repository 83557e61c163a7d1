package io.stoker.preprocess.sample;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.stoker.preprocess.reject.RejectReason;
import io.stoker.preprocess.reject.SampleRejectedException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Reads the media that a record or a part names. Data sets write the field in many forms. */
final class MediaFields {
  private static final List<String> UNSUPPORTED = List.of("video", "videos", "audio", "audios");
  private static final List<String> REFERENCE_KEYS =
      List.of("image", "image_url", "url", "path", "base64");

  private MediaFields() {}

  /** References in {@code image} or {@code images}; null, "" and [] mean none. */
  static List<String> ofRecord(ObjectNode record) throws SampleRejectedException {
    for (String key : UNSUPPORTED) {
      if (!isAbsent(record.path(key))) {
        throw new SampleRejectedException(
            RejectReason.UNSUPPORTED_MEDIA, "expected images only, found the member " + key);
      }
    }
    List<String> one = new ArrayList<>();
    collect(record.path("image"), "image", one);
    List<String> many = new ArrayList<>();
    collect(record.path("images"), "images", many);
    if (!one.isEmpty() && !many.isEmpty() && !one.equals(many)) {
      throw new SampleRejectedException(
          RejectReason.UNKNOWN_SHAPE,
          "expected image or images, found both with different references");
    }
    return one.isEmpty() ? many : one;
  }

  /** References that an object (a typed part, a data-set image) names; each one once. */
  static List<String> ofObject(JsonNode object) throws SampleRejectedException {
    Set<String> found = new TreeSet<>();
    for (String key : REFERENCE_KEYS) {
      JsonNode value = object.path(key);
      if (isAbsent(value)) {
        continue;
      }
      List<String> references = new ArrayList<>();
      if (key.equals("base64") && value.isTextual() && !value.textValue().startsWith("data:")) {
        references.add("data:;base64," + value.textValue());
      } else {
        collect(value, key, references);
      }
      found.addAll(references);
    }
    if (found.isEmpty() && !isAbsent(object.path("bytes"))) {
      throw new SampleRejectedException(
          RejectReason.UNSUPPORTED_MEDIA, "expected a reference to an image, found inline bytes");
    }
    return List.copyOf(found);
  }

  private static void collect(JsonNode value, String key, List<String> out)
      throws SampleRejectedException {
    if (isAbsent(value)) {
      return;
    }
    if (value.isTextual()) {
      out.add(value.textValue());
    } else if (value.isArray()) {
      for (JsonNode item : value) {
        collect(item, key, out);
      }
    } else if (value.isObject()) {
      List<String> references = ofObject(value);
      if (references.size() != 1) {
        throw new SampleRejectedException(
            RejectReason.BAD_TYPE,
            "expected one reference in an object of %s, found %d"
                .formatted(key, references.size()));
      }
      out.addAll(references);
    } else {
      throw new SampleRejectedException(
          RejectReason.BAD_TYPE,
          "expected a string or a list in %s, found %s".formatted(key, ManifestJson.typeOf(value)));
    }
  }

  /** Whether a member says nothing: missing, null, "", [] or {}. */
  static boolean isAbsent(JsonNode value) {
    return value.isMissingNode()
        || value.isNull()
        || (value.isTextual() && value.textValue().isEmpty())
        || (value.isContainerNode() && value.isEmpty());
  }
}
