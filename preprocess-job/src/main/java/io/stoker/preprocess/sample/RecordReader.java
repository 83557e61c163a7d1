package io.stoker.preprocess.sample;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.stoker.preprocess.manifest.ManifestLine;
import io.stoker.preprocess.reject.RejectReason;
import io.stoker.preprocess.reject.SampleRejectedException;
import io.stoker.preprocess.sample.Draft.Piece;
import io.stoker.preprocess.sample.Turn.Part;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One JSON object → one sample: finds the dialect, reads it, applies the rules all share. */
final class RecordReader {
  private final TurnReader turns;
  private final TurnRules rules;
  private final int maxTextChars;
  private final int maxImages;

  RecordReader(SampleSettings settings) {
    this.turns = new TurnReader(settings.roles());
    this.rules = new TurnRules(settings);
    this.maxTextChars = settings.maxTextChars();
    this.maxImages = settings.limits().maxImages();
  }

  Sample read(ObjectNode record, ManifestLine line, boolean fedBack)
      throws SampleRejectedException {
    String id = id(record, line);
    for (String key : List.of("tools", "functions")) {
      if (!MediaFields.isAbsent(record.path(key))) {
        throw new SampleRejectedException(
            RejectReason.UNKNOWN_SHAPE, "expected no tool definitions, found the member " + key);
      }
    }
    List<String> media = MediaFields.ofRecord(record);
    List<Draft> drafts = withSystem(record, readTurns(record, media));
    List<Turn> done = MediaSlots.fill(rules.apply(drafts), media);
    checkTurns(id, done);
    return new Sample(id, done, line, fedBack);
  }

  private List<Draft> readTurns(ObjectNode record, List<String> media)
      throws SampleRejectedException {
    ArrayNode messages = list(record, "messages");
    ArrayNode conversations = list(record, "conversations");
    boolean question = record.hasNonNull("question") && record.has("answer");
    int shapes = (messages == null ? 0 : 1) + (conversations == null ? 0 : 1) + (question ? 1 : 0);
    if (shapes != 1) {
      throw new SampleRejectedException(
          RejectReason.UNKNOWN_SHAPE,
          "expected one of messages, conversations, question + answer; found " + shapes);
    }
    if (messages != null) {
      return turns.read(messages);
    }
    return conversations != null ? turns.read(conversations) : questionAnswer(record, media);
  }

  private static List<Draft> questionAnswer(ObjectNode record, List<String> media)
      throws SampleRejectedException {
    List<Piece> question = TaggedText.split(string(record, "question"));
    if (question.stream().noneMatch(Piece.Slot.class::isInstance)) {
      List<Piece> withImages = new ArrayList<>();
      media.forEach(reference -> withImages.add(new Piece.Slot(null)));
      withImages.addAll(question);
      question = withImages;
    }
    return List.of(
        new Draft(Role.USER, question), Draft.text(Role.ASSISTANT, string(record, "answer")));
  }

  private static List<Draft> withSystem(ObjectNode record, List<Draft> drafts)
      throws SampleRejectedException {
    JsonNode system = record.path("system");
    if (MediaFields.isAbsent(system)) {
      return drafts;
    }
    List<Draft> all = new ArrayList<>();
    all.add(Draft.text(Role.SYSTEM, string(record, "system")));
    all.addAll(drafts);
    return all;
  }

  private static String id(ObjectNode record, ManifestLine line) throws SampleRejectedException {
    JsonNode id = record.path("id");
    if (MediaFields.isAbsent(id)) {
      String manifest = line.provenance().manifest();
      return manifest.substring(manifest.lastIndexOf('/') + 1) + ":" + line.provenance().line();
    }
    if (!id.isTextual() && !id.isNumber()) {
      throw new SampleRejectedException(
          RejectReason.BAD_TYPE,
          "expected a string or a number as id, found " + ManifestJson.typeOf(id));
    }
    return id.asText();
  }

  private static @Nullable ArrayNode list(ObjectNode record, String key)
      throws SampleRejectedException {
    JsonNode value = record.path(key);
    if (value.isMissingNode() || value.isNull()) {
      return null;
    }
    if (value instanceof ArrayNode array) {
      return array;
    }
    throw new SampleRejectedException(
        RejectReason.BAD_TYPE,
        "expected a list of turns in %s, found %s".formatted(key, ManifestJson.typeOf(value)));
  }

  private static String string(ObjectNode record, String key) throws SampleRejectedException {
    JsonNode value = record.path(key);
    if (value.isNull()) {
      return "";
    }
    if (!value.isTextual()) {
      throw new SampleRejectedException(
          RejectReason.BAD_TYPE,
          "expected a string in %s, found %s".formatted(key, ManifestJson.typeOf(value)));
    }
    return value.textValue();
  }

  private void checkTurns(String id, List<Turn> turns) throws SampleRejectedException {
    long chars = 0;
    long images = 0;
    UnicodeText.check(id, "the id");
    for (Turn turn : turns) {
      for (Part part : turn.parts()) {
        if (part instanceof Part.Text text) {
          chars += text.text().length();
          UnicodeText.check(text.text(), "a turn");
        } else if (part instanceof Part.Image image) {
          images++;
          UnicodeText.check(image.reference(), "an image reference");
        }
      }
    }
    if (images > maxImages) {
      throw new SampleRejectedException(
          RejectReason.TOO_MANY_IMAGES,
          "expected at most %d images, found %d".formatted(maxImages, images));
    }
    if (chars > maxTextChars) {
      throw new SampleRejectedException(
          RejectReason.TEXT_TOO_LONG,
          "expected at most %d characters, found %d".formatted(maxTextChars, chars));
    }
  }
}
