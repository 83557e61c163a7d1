package io.stoker.preprocess.text;

import java.io.Serializable;

/**
 * Settings of the text stage.
 *
 * @param template name of the chat template, or {@value #AUTO} to know it by the hash of the
 *     template in the model directory
 * @param controlTokens what happens to control tokens spelled in text
 * @param labels which tokens are trained
 * @param maxTextChars longest text of a sample, summed over its turns, in UTF-16 units; at least 1.
 *     The sample stage has the same limit; this one guards samples made by other hands
 */
public record TextSettings(
    String template, ControlTokenPolicy controlTokens, LabelMode labels, int maxTextChars)
    implements Serializable {

  /** Template setting: take the one in the model directory. */
  public static final String AUTO = "auto";

  /** Template of the model directory, control tokens as plain text, labels from the structure. */
  public static final TextSettings DEFAULTS =
      new TextSettings(AUTO, ControlTokenPolicy.PLAIN, LabelMode.STRUCTURE, 4 << 20);

  public TextSettings {
    if (template.isEmpty() || maxTextChars < 1) {
      throw new IllegalArgumentException(
          "expected a template name and maxTextChars >= 1, found \"%s\" and %d"
              .formatted(template, maxTextChars));
    }
  }
}
