package io.stoker.preprocess.text;

import io.stoker.format.ShardFormat;
import java.util.Arrays;

/** Labels by the scan of the official fine-tuning code, quirks included. */
final class FinetuneLabels {
  private final long assistant;
  private final long imEnd;

  /**
   * @param assistant id of the token "assistant"
   * @param imEnd id of {@code <|im_end|>}
   */
  FinetuneLabels(long assistant, long imEnd) {
    this.assistant = assistant;
    this.imEnd = imEnd;
  }

  /**
   * A trained span starts two tokens after any "assistant" and ends one token after the next {@code
   * <|im_end|>}. The token between is taken to be a newline.
   */
  long[] of(long[] ids) {
    long[] labels = new long[ids.length];
    Arrays.fill(labels, ShardFormat.IGNORED_LABEL);
    int i = 0;
    while (i < ids.length) {
      if (ids[i] == assistant) {
        int start = i + 2;
        int end = start;
        while (end < ids.length && ids[end] != imEnd) {
          end++;
        }
        if (end < ids.length) {
          int stop = Math.min(end + 2, ids.length);
          System.arraycopy(ids, start, labels, start, stop - start);
          i = end;
        }
      }
      i++;
    }
    return labels;
  }
}
