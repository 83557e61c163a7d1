package io.stoker.preprocess.text;

import io.stoker.preprocess.manifest.ManifestLine;
import io.stoker.preprocess.manifest.Provenance;
import io.stoker.preprocess.sample.Role;
import io.stoker.preprocess.sample.Sample;
import io.stoker.preprocess.sample.Turn;
import io.stoker.preprocess.sample.Turn.Part;
import io.stoker.preprocess.vision.Grid;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Samples for tests, and what the reference template makes of them. */
final class Chats {
  private static final String IMAGE = "<|vision_start|><|image_pad|><|vision_end|>";

  private Chats() {}

  static Sample sample(Turn... turns) {
    return new Sample(
        "s",
        List.of(turns),
        new ManifestLine(new Provenance("m.jsonl", 0, 1), new byte[0], true),
        false);
  }

  static Sample chat(String user, String assistant) {
    return sample(turn(Role.USER, text(user)), turn(Role.ASSISTANT, text(assistant)));
  }

  static Turn turn(Role role, Part... parts) {
    return new Turn(role, List.of(parts));
  }

  static Part text(String text) {
    return new Part.Text(text);
  }

  static Part image() {
    return new Part.Image("x.jpg");
  }

  /** The prompt as a string, placeholders expanded: what the reference tokenises. */
  static String rendered(Sample sample, List<Grid> grids) {
    StringBuilder out = new StringBuilder();
    int next = 0;
    for (Turn turn : sample.turns()) {
      out.append("<|im_start|>").append(turn.role().name().toLowerCase(Locale.ROOT)).append('\n');
      for (Part part : turn.parts()) {
        if (part instanceof Part.Text text) {
          out.append(text.text());
        } else {
          out.append("<|vision_start|>")
              .append("<|image_pad|>".repeat(grids.get(next++).tokens()))
              .append("<|vision_end|>");
        }
      }
      out.append("<|im_end|>\n");
    }
    return out.toString();
  }

  /** The way back, for prompts in which no text spells a control token. */
  static Sample parse(String rendered) {
    List<Turn> turns = new ArrayList<>();
    for (String block : rendered.split("<\\|im_start\\|>", -1)) {
      if (block.isEmpty()) {
        continue;
      }
      int header = block.indexOf('\n');
      String content = block.substring(header + 1, block.length() - "<|im_end|>\n".length());
      List<Part> parts = new ArrayList<>();
      for (int start = 0; start <= content.length(); ) {
        int end = content.indexOf(IMAGE, start);
        String piece = content.substring(start, end < 0 ? content.length() : end);
        if (!piece.isEmpty()) {
          parts.add(text(piece));
        }
        if (end < 0) {
          break;
        }
        parts.add(image());
        start = end + IMAGE.length();
      }
      turns.add(new Turn(Role.valueOf(block.substring(0, header).toUpperCase(Locale.ROOT)), parts));
    }
    return sample(turns.toArray(new Turn[0]));
  }
}
