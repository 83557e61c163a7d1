package io.stoker.preprocess.sample;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.stoker.preprocess.reject.RejectReason;
import io.stoker.preprocess.reject.SafeText;
import io.stoker.preprocess.reject.SampleRejectedException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Turns of {@code messages} or {@code conversations}, with either pair of member names. */
final class TurnReader {
  private final Map<String, Role> roles;

  TurnReader(Map<String, Role> roles) {
    this.roles = roles;
  }

  List<Draft> read(ArrayNode turns) throws SampleRejectedException {
    boolean typed = false;
    for (JsonNode turn : turns) {
      typed |= turn.isObject() && content(turn).isArray();
    }
    List<Draft> drafts = new ArrayList<>();
    for (JsonNode turn : turns) {
      if (!turn.isObject()) {
        throw new SampleRejectedException(
            RejectReason.BAD_TYPE, "expected objects as turns, found " + ManifestJson.typeOf(turn));
      }
      drafts.add(readTurn(turn, typed));
    }
    return drafts;
  }

  private Draft readTurn(JsonNode turn, boolean typed) throws SampleRejectedException {
    Role role = role(turn);
    for (String key : List.of("tool_calls", "function_call", "tool_call_id")) {
      if (!MediaFields.isAbsent(turn.path(key))) {
        throw new SampleRejectedException(
            RejectReason.UNKNOWN_SHAPE, "expected no tool calls, found the member " + key);
      }
    }
    JsonNode content = content(turn);
    if (content.isMissingNode() || content.isNull()) {
      return new Draft(role, List.of());
    }
    if (content.isArray()) {
      return new Draft(role, TypedParts.read(role, content));
    }
    if (!content.isTextual()) {
      throw new SampleRejectedException(
          RejectReason.BAD_TYPE,
          "expected a string or a list as content, found " + ManifestJson.typeOf(content));
    }
    String text = content.textValue();
    // A plain string beside typed parts is short for one part, so it is verbatim like them.
    return role == Role.USER && !typed
        ? new Draft(role, TaggedText.split(text))
        : Draft.text(role, text);
  }

  private static JsonNode content(JsonNode turn) {
    return turn.has("content") ? turn.path("content") : turn.path("value");
  }

  private Role role(JsonNode turn) throws SampleRejectedException {
    JsonNode name = turn.has("role") ? turn.path("role") : turn.path("from");
    if (!name.isTextual()) {
      throw new SampleRejectedException(
          name.isMissingNode() || name.isNull() ? RejectReason.UNKNOWN_ROLE : RejectReason.BAD_TYPE,
          "expected a role name, found " + ManifestJson.typeOf(name));
    }
    Role role = roles.get(name.textValue().toLowerCase(Locale.ROOT));
    if (role == null) {
      throw new SampleRejectedException(
          RejectReason.UNKNOWN_ROLE,
          "expected a known role, found \"%s\"".formatted(SafeText.excerpt(name.textValue())));
    }
    return role;
  }
}
