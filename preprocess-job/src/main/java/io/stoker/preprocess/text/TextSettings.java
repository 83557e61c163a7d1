package io.stoker.preprocess.text;

import java.io.Serializable;

/**
 * Settings of the text stage.
 *
 * @param template name of the chat template, or {@value #AUTO} to know it by the hash of the
 *     template in the model directory
 * @param controlTokens what happens to control tokens spelled in text
 * @param labels which tokens are trained
 */
public record TextSettings(String template, ControlTokenPolicy controlTokens, LabelMode labels)
    implements Serializable {

  /** Template setting: take the one in the model directory. */
  public static final String AUTO = "auto";

  /** Template of the model directory, control tokens as plain text, labels from the structure. */
  public static final TextSettings DEFAULTS =
      new TextSettings(AUTO, ControlTokenPolicy.PLAIN, LabelMode.STRUCTURE);

  public TextSettings {
    if (template.isEmpty()) {
      throw new IllegalArgumentException("expected a template name, found an empty one");
    }
  }

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

  /** What happens to a control token that is spelled in the text of a sample. */
  public enum ControlTokenPolicy {
    /**
     * It is text like any other. In user and system text no added token is recognised at all; in
     * assistant text those that are not {@code special} ({@code <think>}, {@code <tool_call>}, …)
     * keep their ids, because the model has to learn to write them.
     */
    PLAIN,
    /** A sample in which any {@code special} token is spelled is rejected; the rest is as PLAIN. */
    REJECT,
    /**
     * It becomes the control id, as in the reference. Only placeholders are refused, because they
     * would ask for an image that does not exist.
     */
    LITERAL
  }
}
