package io.stoker.preprocess.text;

import io.stoker.preprocess.reject.RejectReason;
import io.stoker.preprocess.reject.SampleRejectedException;
import io.stoker.preprocess.sample.Role;
import io.stoker.preprocess.sample.Turn;
import io.stoker.preprocess.sample.Turn.Part;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Writes turns as the Qwen3-VL Instruct template does: no default system message, nothing trimmed,
 * parts joined without a separator, a newline after every {@code <|im_end|>}.
 */
final class PromptRenderer {
  private PromptRenderer() {}

  static List<Run> render(List<Turn> turns) throws SampleRejectedException {
    List<Run> runs = new ArrayList<>();
    for (int i = 0; i < turns.size(); i++) {
      Turn turn = turns.get(i);
      if (turn.role() == Role.SYSTEM && i > 0) {
        throw new SampleRejectedException(
            RejectReason.BAD_TURN_ORDER,
            "expected a system turn only first, found one at turn " + (i + 1));
      }
      renderTurn(turn, runs);
    }
    return runs;
  }

  private static void renderTurn(Turn turn, List<Run> runs) throws SampleRejectedException {
    runs.add(new Run.TurnStart());
    StringBuilder stretch =
        new StringBuilder(turn.role().name().toLowerCase(Locale.ROOT)).append('\n');
    int header = stretch.length();
    for (Part part : turn.parts()) {
      if (part instanceof Part.Text text) {
        stretch.append(text.text());
      } else if (part instanceof Part.Image) {
        if (turn.role() != Role.USER) {
          throw new SampleRejectedException(
              RejectReason.UNSUPPORTED_MEDIA,
              "expected images in user turns only, found one of " + turn.role());
        }
        flush(turn.role(), stretch, header, runs);
        header = 0;
        runs.add(new Run.Image());
      }
    }
    flush(turn.role(), stretch, header, runs);
    runs.add(new Run.TurnEnd(turn.role()));
  }

  private static void flush(Role role, StringBuilder stretch, int header, List<Run> runs) {
    if (!stretch.isEmpty()) {
      runs.add(new Run.Stretch(role, stretch.toString(), header));
      stretch.setLength(0);
    }
  }

  /** A piece of a rendered prompt, in reading order. */
  sealed interface Run {
    /** {@code <|im_start|>}. */
    record TurnStart() implements Run {}

    /**
     * Text between two control tokens, tokenised as a whole: a turn's header and what follows it
     * share a stretch, because tokens may span both.
     *
     * @param role whose turn it stands in
     * @param text the stretch
     * @param headerChars characters at its head that belong to the turn's header, or 0
     */
    record Stretch(Role role, String text, int headerChars) implements Run {}

    /** The next image: start, placeholders, end. */
    record Image() implements Run {}

    /** {@code <|im_end|>} and the newline after it. */
    record TurnEnd(Role role) implements Run {}
  }
}
