package io.stoker.preprocess.decode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Files cut at many points give the pixels of the whole file or a rejection, and never pixels where
 * Pillow gives none.
 *
 * <p>The shortest prefix that decodes is Pillow's for JPEG, WebP and GIF. More is asked of a PNG
 * (all up to IEND, where Pillow stops within the image data), of a BMP (the padding of its last
 * row) and of a CMYK JPEG (the end marker, without which Pillow sometimes does).
 */
class TruncationTest {
  private static final int COARSE_CUTS = 40;
  private static final int DENSE_CUTS = 12;

  static Collection<Fixtures.Stated> files() {
    return Fixtures.stated("expected.json").values().stream()
        .filter(file -> file.prefix() > 0)
        .toList();
  }

  @ParameterizedTest
  @MethodSource("files")
  void cutFilesAreRefusedOrWhole(Fixtures.Stated file) {
    byte[] whole = Fixtures.bytes(file.name());
    int enough = enough(file, whole);
    try (Decoder decoder = new Decoder(Fixtures.SETTINGS)) {
      for (int size : cuts(whole.length, file.prefix(), enough)) {
        String answer = Fixtures.answer(decoder, Arrays.copyOf(whole, size));
        String where = "cut to %d of %d".formatted(size, whole.length);
        if (size >= enough) {
          assertEquals(file.answer(), answer, where);
        } else if (size < file.prefix()) {
          assertFalse(answer.contains("x"), where);
        } else if (answer.contains("x")) {
          assertEquals(file.answer(), answer, where);
        }
      }
    }
  }

  /** The prefix from which the file decodes here. */
  private static int enough(Fixtures.Stated file, byte[] whole) {
    if (whole[1] == 'P' && whole[2] == 'N') {
      return new String(whole, StandardCharsets.ISO_8859_1).indexOf("IEND") + 8;
    }
    if (whole[0] == 'B') {
      return Math.min(file.prefix() + 3, whole.length);
    }
    boolean endOptional = Stream.of("cmyk", "ycck", "in-scan").anyMatch(file.name()::contains);
    return endOptional ? whole.length : file.prefix();
  }

  private static SortedSet<Integer> cuts(int length, int... borders) {
    SortedSet<Integer> sizes = new TreeSet<>();
    for (int i = 0; i < COARSE_CUTS; i++) {
      sizes.add((int) ((long) length * i / COARSE_CUTS));
    }
    for (int i = 1; i <= DENSE_CUTS; i++) {
      sizes.add(length - i);
      for (int border : borders) {
        sizes.add(border - i);
        sizes.add(border + i - 1);
      }
    }
    sizes.removeIf(size -> size < 0 || size > length);
    return sizes;
  }
}
