package io.stoker.preprocess.decode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Resident memory does not grow with the number of images, decoded or refused. */
class NativeMemoryTest {
  private static final int WARM_UP = 500;
  private static final int DECODES = Boolean.getBoolean("stoker.soak") ? 20_000 : 2_000;

  /** A leak of one 512x512 picture per twentieth decode would exceed it. */
  private static final long TOLERANCE_KB = 60_000;

  @Test
  void residentMemoryStaysFlat(@TempDir Path directory) throws Exception {
    ChildJvm.run(directory, Child.class, Integer.toString(DECODES));
  }

  /** The process: the argument is the number of decodes. */
  static final class Child {
    private Child() {}

    public static void main(String[] args) throws IOException {
      int decodes = Integer.parseInt(args[0]);
      List<byte[]> files = files();
      try (Decoder decoder = new Decoder(Fixtures.SETTINGS)) {
        run(decoder, files, WARM_UP);
        long before = ChildJvm.residentKb();
        run(decoder, files, decodes);
        long grown = ChildJvm.residentKb() - before;
        System.out.printf("%d decodes, memory grew by %d kB%n", decodes, grown);
        System.exit(grown < TOLERANCE_KB ? 0 : 3);
      }
    }
  }

  private static List<byte[]> files() throws IOException {
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
    return files;
  }

  private static void run(Decoder decoder, List<byte[]> files, int count) {
    for (int i = 0; i < count; i++) {
      Fixtures.answer(decoder, files.get(i % files.size()));
    }
  }
}
