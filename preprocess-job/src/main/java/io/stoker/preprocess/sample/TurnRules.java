package io.stoker.preprocess.sample;

import io.stoker.preprocess.reject.RejectReason;
import io.stoker.preprocess.reject.SampleRejectedException;
import io.stoker.preprocess.sample.Draft.Piece;
import java.util.ArrayList;
import java.util.List;

/** The rules that a conversation must keep in every dialect. */
final class TurnRules {
  private final boolean merge;
  private final boolean dropLeadingAnswer;
  private final boolean keepEmptyAnswers;

  TurnRules(SampleSettings settings) {
    this.merge = settings.mergeConsecutiveTurns();
    this.dropLeadingAnswer = settings.dropLeadingAnswer();
    this.keepEmptyAnswers = settings.keepEmptyAnswers();
  }

  /**
   * Checks the turns, and repairs them as far as the settings say. A user turn at the end stays: it
   * is rendered, but not trained.
   */
  List<Draft> apply(List<Draft> drafts) throws SampleRejectedException {
    List<Draft> out = new ArrayList<>();
    boolean answered = false;
    for (int i = 0; i < drafts.size(); i++) {
      Draft draft = drafts.get(i);
      if (draft.role() == Role.SYSTEM && i > 0) {
        // The template would drop it silently.
        throw rejected(RejectReason.BAD_TURN_ORDER, "expected a system turn only first", i, draft);
      }
      if (draft.role() == Role.ASSISTANT && leads(out)) {
        if (dropLeadingAnswer) {
          continue;
        }
        throw rejected(RejectReason.BAD_TURN_ORDER, "expected a user turn first", i, draft);
      }
      if (draft.isEmpty() && !(keepEmptyAnswers && draft.role() == Role.ASSISTANT)) {
        throw rejected(RejectReason.EMPTY_TURN, "expected content in every turn", i, draft);
      }
      answered |= draft.role() == Role.ASSISTANT;
      append(out, draft, i);
    }
    if (!answered) {
      throw new SampleRejectedException(
          RejectReason.NO_SUPERVISED_TOKENS,
          "expected an assistant turn, found none in %d turns".formatted(drafts.size()));
    }
    return out;
  }

  private void append(List<Draft> out, Draft draft, int index) throws SampleRejectedException {
    Draft last = out.isEmpty() ? null : out.get(out.size() - 1);
    if (last == null || last.role() != draft.role()) {
      out.add(draft);
      return;
    }
    if (!merge) {
      throw rejected(RejectReason.BAD_TURN_ORDER, "expected alternating roles", index, draft);
    }
    out.set(out.size() - 1, join(last, draft));
  }

  /** Two turns as one. Only answers can be empty here, and a newline is no part of one. */
  private static Draft join(Draft first, Draft second) {
    if (first.isEmpty() || second.isEmpty()) {
      return first.isEmpty() ? second : first;
    }
    List<Piece> pieces = new ArrayList<>(first.pieces());
    pieces.add(new Piece.Text("\n"));
    pieces.addAll(second.pieces());
    return new Draft(first.role(), pieces);
  }

  private static boolean leads(List<Draft> before) {
    return before.stream().noneMatch(draft -> draft.role() == Role.USER);
  }

  private static SampleRejectedException rejected(
      RejectReason reason, String expected, int index, Draft found) {
    return new SampleRejectedException(
        reason, "%s, found turn %d of %s".formatted(expected, index + 1, found.role()));
  }
}
