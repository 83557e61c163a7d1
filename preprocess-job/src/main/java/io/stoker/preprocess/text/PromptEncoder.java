package io.stoker.preprocess.text;

import io.stoker.format.ShardFormat;
import io.stoker.preprocess.reject.RejectReason;
import io.stoker.preprocess.reject.SampleRejectedException;
import io.stoker.preprocess.sample.Role;
import io.stoker.preprocess.text.PromptRenderer.Run;
import io.stoker.preprocess.text.TokenTables.Control;
import io.stoker.preprocess.vision.Grid;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;

/**
 * Puts the runs of one prompt together: ids, and the labels that follow from the structure. One per
 * sample; not thread-safe.
 */
final class PromptEncoder {
  private final TokenTables tables;
  private final Tokenizers tokenizers;
  private final LongList ids = new LongList();
  private final LongList trainedSpans = new LongList();
  private int answerStart = -1;

  PromptEncoder(TokenTables tables, Tokenizers tokenizers) {
    this.tables = tables;
    this.tokenizers = tokenizers;
  }

  void encode(List<Run> runs, List<Grid> grids) throws SampleRejectedException {
    Iterator<Grid> images = grids.iterator();
    Control control = tables.control();
    for (Run run : runs) {
      if (run instanceof Run.TurnStart) {
        ids.add(control.imStart());
      } else if (run instanceof Run.Stretch stretch) {
        addStretch(stretch);
      } else if (run instanceof Run.Image) {
        ids.add(control.visionStart());
        ids.addRepeated(control.imagePad(), images.next().tokens());
        ids.add(control.visionEnd());
      } else if (run instanceof Run.TurnEnd end) {
        ids.add(control.imEnd());
        ids.addAll(tables.newline());
        if (end.role() == Role.ASSISTANT) {
          trainedSpans.add(answerStart);
          trainedSpans.add(ids.size());
        }
      }
    }
  }

  private void addStretch(Run.Stretch stretch) throws SampleRejectedException {
    NativeTokenizer tokenizer = tokenizers.of(stretch.role());
    long[] tokens = tokenizer.encode(stretch.text());
    for (long id : tokens) {
      if (tables.isForbidden(stretch.role(), id)) {
        throw new SampleRejectedException(
            RejectReason.CONTROL_TOKEN_IN_TEXT,
            "expected no control token in text of %s, found id %d".formatted(stretch.role(), id));
      }
    }
    if (stretch.role() == Role.ASSISTANT) {
      answerStart = ids.size() + headerTokens(tokenizer, stretch, tokens);
    }
    ids.addAll(tokens);
  }

  /**
   * Counts the tokens that hold a character of the header; those are not trained. A stretch nearly
   * always starts with the same tokens as the header alone, and then the border lies behind them.
   * Only an answer that fuses with the header's newline needs the spans, which are costly.
   */
  private int headerTokens(NativeTokenizer tokenizer, Run.Stretch stretch, long[] tokens) {
    long[] header = tables.answerHeader();
    if (tokens.length >= header.length
        && Arrays.equals(tokens, 0, header.length, header, 0, header.length)) {
      return header.length;
    }
    return tokenizer.tokensWithin(stretch.text(), stretch.headerChars());
  }

  long[] ids() {
    return ids.toArray();
  }

  /** L labels: every assistant turn from behind its header to the newline after its end. */
  long[] structureLabels() {
    long[] labels = new long[ids.size()];
    Arrays.fill(labels, ShardFormat.IGNORED_LABEL);
    long[] spans = trainedSpans.toArray();
    for (int i = 0; i < spans.length; i += 2) {
      ids.copyTo(labels, (int) spans[i], (int) spans[i + 1]);
    }
    return labels;
  }
}
