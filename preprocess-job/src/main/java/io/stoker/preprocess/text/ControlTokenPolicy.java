package io.stoker.preprocess.text;

/** What happens to a control token that is spelled in the text of a sample. */
public enum ControlTokenPolicy {
  /**
   * It is text like any other. In user and system text no added token is recognised at all; in
   * assistant text those that are not {@code special} ({@code <think>}, {@code <tool_call>}, …)
   * keep their ids, for the model has to learn to write them.
   */
  PLAIN,
  /** A sample in which any {@code special} token is spelled is rejected; the rest is as PLAIN. */
  REJECT,
  /**
   * It becomes the control id, as in the reference. Only placeholders are refused, for they would
   * ask for an image that does not exist.
   */
  LITERAL
}
