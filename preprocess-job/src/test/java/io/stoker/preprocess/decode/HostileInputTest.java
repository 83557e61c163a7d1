package io.stoker.preprocess.decode;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;

/** Mutated and random files give an answer or a rejection and nothing else, in bounded time. */
class HostileInputTest {
  private static final long SEED = 20_260_101;
  private static final int MUTATIONS = 2_000;
  private static final int RANDOM_FILES = 500;
  private static final Duration LIMIT = Duration.ofMinutes(2);

  /** Small, so that a mutated size cannot slow the test down. */
  static final DecodeSettings SETTINGS =
      new DecodeSettings(4_000_000, 1_000_000, true, Fixtures.SETTINGS.formats());

  @Test
  void mutatedFilesAreAnsweredOrRefused() {
    Random random = new Random(SEED);
    List<String> names = List.copyOf(Fixtures.stated("expected.json").keySet());
    Assertions.assertTimeout(
        LIMIT,
        () -> {
          try (Decoder decoder = new Decoder(SETTINGS)) {
            for (int i = 0; i < MUTATIONS; i++) {
              String name = names.get(random.nextInt(names.size()));
              byte[] data = mutate(Fixtures.bytes(name), random);
              answer(decoder, data, "mutation %d of %s, seed %d".formatted(i, name, SEED));
            }
          }
        });
  }

  @Test
  void randomBytesBehindAMagicAreAnsweredOrRefused() {
    Random random = new Random(SEED);
    List<String> magics =
        List.of("\u00FF\u00D8\u00FF\u00E1", "\u0089PNG\r\n\u001A\n", "GIF89a", "BM", "RIFF", "");
    try (Decoder decoder = new Decoder(SETTINGS)) {
      for (int i = 0; i < RANDOM_FILES; i++) {
        byte[] data = new byte[random.nextInt(600) + 8];
        random.nextBytes(data);
        byte[] magic = magics.get(i % magics.size()).getBytes(StandardCharsets.ISO_8859_1);
        System.arraycopy(magic, 0, data, 0, magic.length);
        answer(decoder, data, "random file %d, seed %d".formatted(i, SEED));
      }
    }
  }

  static void answer(Decoder decoder, byte[] data, String what) {
    try {
      assertTrue(!Fixtures.answer(decoder, data, SETTINGS).isEmpty());
    } catch (RuntimeException | Error thrown) {
      throw new AssertionError(what, thrown);
    }
  }

  static byte[] mutate(byte[] data, Random random) {
    byte[] mutated = data.clone();
    int edits = 1 + random.nextInt(8);
    for (int i = 0; i < edits && mutated.length > 0; i++) {
      // Half of the edits hit the first bytes, where the headers are.
      int range = random.nextBoolean() ? Math.min(mutated.length, 128) : mutated.length;
      int at = random.nextInt(range);
      switch (random.nextInt(4)) {
        case 0 -> mutated[at] ^= (byte) (1 << random.nextInt(8));
        case 1 -> mutated[at] = (byte) random.nextInt(256);
        case 2 -> mutated[at] = (byte) (random.nextBoolean() ? 0xFF : 0);
        default -> {
          int size = Math.min(random.nextInt(16), mutated.length - at);
          int from = random.nextInt(mutated.length - size + 1);
          System.arraycopy(data, from, mutated, at, size);
        }
      }
    }
    return random.nextInt(10) == 0
        ? Arrays.copyOf(mutated, random.nextInt(mutated.length + 1))
        : mutated;
  }
}
