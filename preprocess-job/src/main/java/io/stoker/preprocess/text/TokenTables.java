package io.stoker.preprocess.text;

import io.stoker.preprocess.sample.Role;
import java.util.Arrays;

/**
 * What {@link PromptEncoder} has to know of a tokenizer, looked up once. Immutable.
 *
 * @param control the control ids
 * @param newline ids of a newline alone
 * @param answerHeader ids of "assistant" and a newline alone
 * @param forbiddenInPrompt sorted ids that user and system text must not produce
 * @param forbiddenInAnswer sorted ids that assistant text must not produce
 */
record TokenTables(
    ControlTokens control,
    long[] newline,
    long[] answerHeader,
    long[] forbiddenInPrompt,
    long[] forbiddenInAnswer) {

  static TokenTables of(TokenizerFile file, Tokenizers tokenizers, ControlTokenPolicy policy) {
    ControlTokens control = ControlTokens.of(file);
    long[] placeholders = {control.imagePad(), control.videoPad()};
    Arrays.sort(placeholders);
    boolean literal = policy == ControlTokenPolicy.LITERAL;
    NativeTokenizer answer = tokenizers.of(Role.ASSISTANT);
    return new TokenTables(
        control,
        answer.encode("\n"),
        answer.encode("assistant\n"),
        literal ? placeholders : ids(file, false),
        literal ? placeholders : ids(file, true));
  }

  boolean isForbidden(Role role, long id) {
    long[] forbidden = role == Role.ASSISTANT ? forbiddenInAnswer : forbiddenInPrompt;
    return Arrays.binarySearch(forbidden, id) >= 0;
  }

  private static long[] ids(TokenizerFile file, boolean specialOnly) {
    return file.addedTokens().stream()
        .filter(token -> token.special() || !specialOnly)
        .mapToLong(AddedToken::id)
        .sorted()
        .toArray();
  }
}
