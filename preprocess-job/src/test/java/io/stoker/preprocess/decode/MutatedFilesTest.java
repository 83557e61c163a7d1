package io.stoker.preprocess.decode;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Damaged files in a JVM of their own, which must end by itself: a decoder that writes where it
 * must not takes the process with it.
 */
class MutatedFilesTest {
  private static final int FILES = Boolean.getBoolean("stoker.soak") ? 10_000 : 1_000;
  private static final long SEED = Long.getLong("stoker.seed", 20_261_129);
  private static final int WARM_UP = 300;
  private static final long TOLERANCE_KB = 60_000;

  @Test
  void everyFileIsAnsweredAndMemoryStaysFlat(@TempDir Path directory) throws Exception {
    ChildJvm.run(directory, Child.class, Integer.toString(FILES), Long.toString(SEED));
  }

  /** The process: arguments are the number of files and the seed. */
  static final class Child {
    private Child() {}

    public static void main(String[] args) throws IOException {
      Random random = new Random(Long.parseLong(args[1]));
      List<String> names = List.copyOf(Fixtures.stated("expected.json").keySet());
      int decoded = 0;
      int files = Integer.parseInt(args[0]);
      long before = 0;
      try (Decoder decoder = new Decoder(HostileInputTest.SETTINGS)) {
        for (int i = 0; i < files; i++) {
          if (i == WARM_UP) {
            before = ChildJvm.residentKb();
          }
          String name = names.get(random.nextInt(names.size()));
          byte[] data = HostileInputTest.mutate(Fixtures.bytes(name), random);
          String answer = Fixtures.answer(decoder, data, HostileInputTest.SETTINGS);
          decoded += answer.contains("x") && answer.contains(" ") ? 1 : 0;
        }
      }
      long grown = ChildJvm.residentKb() - before;
      System.out.printf(
          "seed %s: %d mutated files, %d decoded, %d rejected, memory grew by %d kB%n",
          args[1], files, decoded, files - decoded, grown);
      System.exit(grown < TOLERANCE_KB ? 0 : 3);
    }
  }
}
