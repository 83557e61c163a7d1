package io.stoker.preprocess.text;

import io.stoker.preprocess.sample.Role;
import io.stoker.preprocess.text.TextSettings.ControlTokenPolicy;
import io.stoker.preprocess.text.TokenizerFile.AddedToken;
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
    Control control,
    long[] newline,
    long[] answerHeader,
    long[] forbiddenInPrompt,
    long[] forbiddenInAnswer) {

  static TokenTables of(TokenizerFile file, Tokenizers tokenizers, ControlTokenPolicy policy) {
    Control control = Control.of(file);
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

  /** The control ids that the prompt is built from, as the tokenizer file numbers them. */
  record Control(
      long imStart, long imEnd, long visionStart, long visionEnd, long imagePad, long videoPad) {

    static Control of(TokenizerFile file) {
      return new Control(
          file.idOf("<|im_start|>"),
          file.idOf("<|im_end|>"),
          file.idOf("<|vision_start|>"),
          file.idOf("<|vision_end|>"),
          file.idOf("<|image_pad|>"),
          file.idOf("<|video_pad|>"));
    }
  }
}
