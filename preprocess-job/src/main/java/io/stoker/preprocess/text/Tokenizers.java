package io.stoker.preprocess.text;

import io.stoker.preprocess.sample.Role;
import io.stoker.preprocess.text.TextSettings.ControlTokenPolicy;
import io.stoker.preprocess.text.TokenizerFile.AddedToken;
import java.util.List;
import java.util.function.Predicate;

/** The tokenizer for each kind of text under a control-token policy. Thread-safe. */
final class Tokenizers implements AutoCloseable {
  private final NativeTokenizer prompt;
  private final NativeTokenizer answer;

  private Tokenizers(NativeTokenizer prompt, NativeTokenizer answer) {
    this.prompt = prompt;
    this.answer = answer;
  }

  static Tokenizers open(String source, TokenizerFile file, ControlTokenPolicy policy) {
    if (policy == ControlTokenPolicy.LITERAL) {
      NativeTokenizer all = checked(source, file, token -> true);
      return new Tokenizers(all, all);
    }
    NativeTokenizer prompt = checked(source, file, token -> false);
    try {
      return new Tokenizers(prompt, checked(source, file, token -> !token.special()));
    } catch (RuntimeException e) {
      prompt.close();
      throw e;
    }
  }

  NativeTokenizer of(Role role) {
    return role == Role.ASSISTANT ? answer : prompt;
  }

  private static NativeTokenizer checked(
      String source, TokenizerFile file, Predicate<AddedToken> keep) {
    NativeTokenizer tokenizer = new NativeTokenizer(source, file.withAddedTokens(keep));
    List<AddedToken> kept = file.addedTokens().stream().filter(keep).toList();
    for (AddedToken token : kept) {
      long[] ids = tokenizer.encode(token.content());
      if (ids.length != 1 || ids[0] != token.id()) {
        tokenizer.close();
        throw new ModelFileException(
            "expected id %d for the added token %s of %s, found another"
                .formatted(token.id(), token.content(), source));
      }
    }
    return tokenizer;
  }

  @Override
  public void close() {
    prompt.close();
    if (answer != prompt) {
      answer.close();
    }
  }
}
