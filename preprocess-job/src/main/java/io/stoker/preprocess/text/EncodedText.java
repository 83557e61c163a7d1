package io.stoker.preprocess.text;

import io.stoker.format.ShardFormat;

/**
 * The integers of one finished sample; L is its length in tokens. The receiver of the record owns
 * the arrays; nothing else keeps them.
 *
 * @param inputIds L token ids, placeholders expanded
 * @param labels L labels: the token id where it is trained, {@value ShardFormat#IGNORED_LABEL}
 *     elsewhere; not shifted
 * @param positionIds 3·L M-RoPE positions, row-major [3][L] in the order time, height, width;
 *     starting from 0
 * @param supervisedTokens labels that are not {@value ShardFormat#IGNORED_LABEL}, at least 1
 */
public record EncodedText(
    long[] inputIds, long[] labels, long[] positionIds, int supervisedTokens) {

  public EncodedText {
    if (labels.length != inputIds.length || positionIds.length != 3L * inputIds.length) {
      throw new IllegalArgumentException(
          "expected as many labels as ids and three times as many positions, found %d, %d and %d"
              .formatted(labels.length, inputIds.length, positionIds.length));
    }
  }

  /** Length in tokens. */
  public int length() {
    return inputIds.length;
  }
}
