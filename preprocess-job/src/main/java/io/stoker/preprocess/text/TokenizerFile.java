package io.stoker.preprocess.text;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** A parsed {@code tokenizer.json}, from which tokenizers with fewer added tokens are made. */
final class TokenizerFile {
  private final String source;
  private final ObjectMapper mapper;
  private final ObjectNode root;
  private final List<AddedToken> addedTokens;

  /**
   * @param source where the bytes are from, for messages
   */
  TokenizerFile(String source, byte[] json) {
    this.source = source;
    this.mapper =
        new ObjectMapper(
            JsonFactory.builder()
                .streamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(100).build())
                .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
                .build());
    try {
      if (!(mapper.readTree(json) instanceof ObjectNode object)) {
        throw new ModelFileException("expected a JSON object in " + source);
      }
      this.root = object;
    } catch (IOException e) {
      throw new ModelFileException("expected JSON in " + source, e);
    }
    this.addedTokens = List.copyOf(readAdded());
  }

  private List<AddedToken> readAdded() {
    List<AddedToken> tokens = new ArrayList<>();
    for (JsonNode entry : root.path("added_tokens")) {
      if (!entry.path("content").isTextual() || !entry.path("id").isIntegralNumber()) {
        throw new ModelFileException("expected content and id in every added token of " + source);
      }
      tokens.add(
          new AddedToken(
              entry.path("content").textValue(),
              entry.path("id").longValue(),
              entry.path("special").asBoolean()));
    }
    return tokens;
  }

  List<AddedToken> addedTokens() {
    return addedTokens;
  }

  /** The id of an added token; a missing one is an error that names the file and the token. */
  long idOf(String content) {
    for (AddedToken token : addedTokens) {
      if (token.content().equals(content)) {
        return token.id();
      }
    }
    throw new ModelFileException(
        "expected the added token %s in %s, found none of that name".formatted(content, source));
  }

  /**
   * The file with only some of its added tokens, and without truncation and padding.
   *
   * <p>The others are gone, not disguised: no string can produce their ids, so nothing has to be
   * kept out of the text. The library counts added tokens from the end of the vocabulary, so those
   * that stay would get other ids. But it takes the id from the vocabulary when the string stands
   * there. So the tokens that stay are entered there too, where no merge leads to them.
   *
   * @return a new {@code tokenizer.json}, UTF-8
   */
  byte[] withAddedTokens(Predicate<AddedToken> keep) {
    ObjectNode copy = mapper.createObjectNode();
    copy.setAll(root);
    copy.putNull("truncation");
    copy.putNull("padding");
    ArrayNode kept = copy.putArray("added_tokens");
    if (!(root.path("model") instanceof ObjectNode model)
        || !(model.path("vocab") instanceof ObjectNode vocabulary)) {
      throw new ModelFileException("expected a model with a vocab object in " + source);
    }
    ObjectNode extended = mapper.createObjectNode();
    extended.setAll(vocabulary);
    for (int i = 0; i < addedTokens.size(); i++) {
      AddedToken token = addedTokens.get(i);
      if (keep.test(token)) {
        kept.add(root.path("added_tokens").path(i));
        extended.put(token.content(), token.id());
      }
    }
    ObjectNode newModel = copy.putObject("model");
    newModel.setAll(model);
    newModel.set("vocab", extended);
    try {
      return mapper.writeValueAsBytes(copy);
    } catch (IOException e) {
      throw new ModelFileException("cannot rewrite " + source, e);
    }
  }

  /**
   * An entry of {@code added_tokens} in {@code tokenizer.json}.
   *
   * @param content the string it is spelled as
   * @param id its token id
   * @param special whether it is a control token, which the model must never meet in plain text
   */
  record AddedToken(String content, long id, boolean special) {}
}
