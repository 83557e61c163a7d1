package io.stoker.preprocess.text;

/** Which tokens are trained. */
public enum LabelMode {
  /** Of every assistant turn: the answer, {@code <|im_end|>} and the newline after it. */
  STRUCTURE,
  /**
   * The scan of the official fine-tuning code with its quirks: a token "assistant" in user text
   * starts a trained span as well.
   */
  FINETUNE
}
