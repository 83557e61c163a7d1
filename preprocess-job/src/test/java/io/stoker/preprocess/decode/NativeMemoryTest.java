package io.stoker.preprocess.decode;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Resident memory does not grow with the number of images, decoded or refused. */
class NativeMemoryTest {
  private static final Path STATUS = Path.of("/proc/self/status");
  private static final int WARM_UP = 500;
  private static final int DECODES = Boolean.getBoolean("stoker.soak") ? 20_000 : 2_000;

  /** A leak of one 512x512 picture per twentieth decode would exceed it. */
  private static final long TOLERANCE_KB = 60_000;

  @Test
  void residentMemoryStaysFlat() throws IOException {
    List<byte[]> files = new ArrayList<>();
    for (String name : List.of("portrait/astronaut.jpg", "texture/brick.png", "sky/moon.jpg")) {
      byte[] whole = Files.readAllBytes(Path.of("..", "examples", "images").resolve(name));
      files.add(whole);
      files.add(Arrays.copyOf(whole, whole.length / 2));
    }
    for (String name :
        List.of(
            "jpeg-exif-6.jpg",
            "png-gray-16.png",
            "gif-large.gif",
            "jpeg-cmyk.jpg",
            "jpeg-no-dqt.jpg",
            "png-cut-99.png",
            "webp-lossy.webp",
            "webp-cut-50.webp")) {
      files.add(Fixtures.bytes(name));
    }
    try (Decoder decoder = new Decoder(Fixtures.SETTINGS)) {
      run(decoder, files, WARM_UP);
      long before = residentKb();
      run(decoder, files, DECODES);
      long after = residentKb();
      assertTrue(after - before < TOLERANCE_KB, "grew from %d to %d kB".formatted(before, after));
    }
  }

  private static void run(Decoder decoder, List<byte[]> files, int count) {
    for (int i = 0; i < count; i++) {
      Fixtures.answer(decoder, files.get(i % files.size()));
    }
  }

  /** Anonymous pages: what the heap and the C allocator hold, without mapped files. */
  static long residentKb() throws IOException {
    return Files.readAllLines(STATUS).stream()
        .filter(line -> line.startsWith("RssAnon:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
        .findFirst()
        .orElseThrow();
  }
}
