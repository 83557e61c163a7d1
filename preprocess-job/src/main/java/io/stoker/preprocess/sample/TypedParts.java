package io.stoker.preprocess.sample;

import com.fasterxml.jackson.databind.JsonNode;
import io.stoker.preprocess.reject.RejectReason;
import io.stoker.preprocess.reject.SafeText;
import io.stoker.preprocess.reject.SampleRejectedException;
import io.stoker.preprocess.sample.Draft.Piece;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Content given as a list of typed parts (OpenAI chat and responses, Hugging Face). */
final class TypedParts {
  private static final Set<String> TEXT_TYPES = Set.of("text", "input_text", "output_text");
  private static final Set<String> IMAGE_TYPES = Set.of("image", "image_url", "input_image");

  private TypedParts() {}

  /**
   * Reads the parts in order. Text is verbatim, as the reference template prints it: nothing is
   * stripped and a tag in it is plain text. (The example records would look the same stripped, but
   * the template trims nothing.)
   */
  static List<Piece> read(Role role, JsonNode parts) throws SampleRejectedException {
    List<Piece> pieces = new ArrayList<>();
    for (JsonNode part : parts) {
      if (!part.isObject()) {
        throw new SampleRejectedException(
            RejectReason.BAD_TYPE,
            "expected objects as content parts, found " + ManifestJson.typeOf(part));
      }
      pieces.add(readPart(role, part));
    }
    return pieces;
  }

  private static Piece readPart(Role role, JsonNode part) throws SampleRejectedException {
    String type = part.path("type").isTextual() ? part.path("type").textValue() : "";
    boolean untyped = type.isEmpty();
    if (IMAGE_TYPES.contains(type) || (untyped && (part.has("image") || part.has("image_url")))) {
      return readImage(role, part);
    }
    if (TEXT_TYPES.contains(type) || (untyped && part.has("text"))) {
      JsonNode text = part.path("text");
      if (!text.isTextual()) {
        throw new SampleRejectedException(
            RejectReason.BAD_TYPE,
            "expected a string as text of a part, found " + ManifestJson.typeOf(text));
      }
      return new Piece.Text(text.textValue());
    }
    throw new SampleRejectedException(
        RejectReason.UNSUPPORTED_MEDIA,
        "expected parts with text or an image, found type \"%s\""
            .formatted(SafeText.excerpt(type)));
  }

  private static Piece readImage(Role role, JsonNode part) throws SampleRejectedException {
    if (role != Role.USER) {
      // The template prints no placeholder there, but the processor would load the image.
      throw new SampleRejectedException(
          RejectReason.UNSUPPORTED_MEDIA,
          "expected images in user turns only, found one of " + role);
    }
    List<String> references = MediaFields.ofObject(part);
    if (references.size() > 1) {
      throw new SampleRejectedException(
          RejectReason.BAD_TYPE,
          "expected one reference in an image part, found " + references.size());
    }
    return new Piece.Slot(references.isEmpty() ? null : references.get(0));
  }
}
