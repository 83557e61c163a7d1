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
  private MediaSlots() {}

  static List<Turn> fill(List<Draft> drafts, List<String> media) throws SampleRejectedException {
    long open =
        drafts.stream()
            .flatMap(draft -> draft.pieces().stream())
            .filter(piece -> piece instanceof Piece.Slot slot && slot.reference() == null)
            .count();
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
}
