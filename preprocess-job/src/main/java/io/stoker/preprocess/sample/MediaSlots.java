package io.stoker.preprocess.sample;

import io.stoker.preprocess.reject.RejectReason;
import io.stoker.preprocess.reject.SampleRejectedException;
import io.stoker.preprocess.sample.Draft.Piece;
import io.stoker.preprocess.sample.Turn.Part;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** Gives the record's media to the places that ask for them, in reading order. */
final class MediaSlots {
  private final boolean prependMissing;

  MediaSlots(boolean prependMissing) {
    this.prependMissing = prependMissing;
  }

  List<Turn> fill(List<Draft> drafts, List<String> media) throws SampleRejectedException {
    if (prependMissing && !media.isEmpty() && slots(drafts).isEmpty()) {
      drafts = prepend(drafts, media.size());
    }
    long open = slots(drafts).stream().filter(slot -> slot.reference() == null).count();
    if (open != media.size()) {
      throw new SampleRejectedException(
          RejectReason.MEDIA_COUNT_MISMATCH,
          "expected as many tags as media, found %d tags and %d media"
              .formatted(open, media.size()));
    }
    Iterator<String> next = media.iterator();
    List<Turn> turns = new ArrayList<>();
    for (Draft draft : drafts) {
      List<Part> parts = new ArrayList<>();
      for (Piece piece : draft.pieces()) {
        if (piece instanceof Piece.Text text) {
          parts.add(new Part.Text(text.text()));
        } else if (piece instanceof Piece.Slot slot) {
          String reference = slot.reference();
          parts.add(new Part.Image(reference == null ? next.next() : reference));
        }
      }
      turns.add(new Turn(draft.role(), parts));
    }
    return turns;
  }

  private static List<Piece.Slot> slots(List<Draft> drafts) {
    return drafts.stream()
        .flatMap(draft -> draft.pieces().stream())
        .filter(Piece.Slot.class::isInstance)
        .map(Piece.Slot.class::cast)
        .toList();
  }

  private static List<Draft> prepend(List<Draft> drafts, int count) {
    List<Draft> out = new ArrayList<>(drafts);
    for (int i = 0; i < out.size(); i++) {
      if (out.get(i).role() == Role.USER) {
        List<Piece> pieces = new ArrayList<>();
        for (int k = 0; k < count; k++) {
          pieces.add(new Piece.Slot(null));
        }
        pieces.addAll(out.get(i).pieces());
        out.set(i, new Draft(Role.USER, pieces));
        break;
      }
    }
    return out;
  }
}
