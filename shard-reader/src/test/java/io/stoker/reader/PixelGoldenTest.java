package io.stoker.reader;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.stoker.fixture.GoldenDataset;
import io.stoker.fixture.Goldens;
import io.stoker.format.PixelLayout;
import io.stoker.index.ValueTable;
import io.stoker.plan.PlanSettings;
import io.stoker.plan.RankSpec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * One dataset of the current format version per pixel layout, all with the same packs, and one with
 * more blocks, whose epochs a second reader can compare. {@link GoldenTest} says how they are
 * written.
 */
class PixelGoldenTest {
  private static final String EPOCH = "epoch";
  private static final int SLOT_VALUES = 256;

  @BeforeAll
  static void writeGoldens() throws IOException {
    if (Goldens.writing()) {
      for (String name : names()) {
        write(golden(name), name);
      }
    }
  }

  private static List<String> names() {
    List<String> names = new ArrayList<>();
    for (String encoding : List.of("uint8", "bfloat16", "float32")) {
      for (String temporal : List.of("single", "duplicated")) {
        names.add(encoding + "-" + temporal);
      }
    }
    names.add(EPOCH);
    return names;
  }

  private static Path golden(String name) {
    return Goldens.ROOT.resolve("v1-" + name);
  }

  private static void write(Path root, String name) throws IOException {
    if (name.equals(EPOCH)) {
      int[][] shards = {{3, 1, 2, 2}, {1, 4, 2}, {3, 2, 1, 1, 3}};
      GoldenDataset.write(root, PixelLayout.UINT8, shards);
    } else {
      String[] words = name.split("-");
      GoldenDataset.write(root, PixelLayout.of(words[0], words[1]), new int[] {2});
    }
  }

  @ParameterizedTest
  @MethodSource("names")
  void isSoundAndWrittenToTheByte(String name, @TempDir Path root) throws IOException {
    DatasetVerifier.verify(golden(name));
    write(root, name);
    Goldens.assertSame(golden(name), root);
  }

  /** What a layout stores is what the value table makes of the raw pixels, in each slot. */
  @ParameterizedTest
  @CsvSource({
    "uint8-duplicated, 2, 1",
    "bfloat16-single, 1, 2",
    "bfloat16-duplicated, 2, 2",
    "float32-single, 1, 4",
    "float32-duplicated, 2, 4"
  })
  void layoutsHoldTheSamePixels(String name, int slots, int bytes) throws IOException {
    List<Integer> raw = elements("uint8-single", 1);
    List<Integer> expected = new ArrayList<>();
    ValueTable table = DatasetVerifier.verify(golden(name)).valueTable();
    for (int from = 0; from < raw.size(); from += SLOT_VALUES) {
      int channel = from / SLOT_VALUES % ValueTable.CHANNELS;
      for (int slot = 0; slot < slots; slot++) {
        for (int value : raw.subList(from, from + SLOT_VALUES)) {
          expected.add(stored(bytes, table.value(channel, value), value));
        }
      }
    }
    assertEquals(expected, elements(name, bytes));
  }

  private static int stored(int bytes, float value, int raw) {
    int bits = Float.floatToRawIntBits(value);
    return switch (bytes) {
      case 1 -> raw;
      case 2 -> {
        // The nearer of the two neighbours that have 16 bits; of two equally near the even one.
        int below = bits & 0xFFFF0000;
        int above = below + 0x10000;
        double low = Math.abs((double) value - Float.intBitsToFloat(below));
        double high = Math.abs((double) value - Float.intBitsToFloat(above));
        boolean up = high < low || (high == low && (below & 0x10000) != 0);
        yield (up ? above : below) >>> 16;
      }
      default -> bits;
    };
  }

  /** The pixels of the second pack, the one with an image. */
  private static List<Integer> elements(String name, int bytes) throws IOException {
    List<Integer> elements = new ArrayList<>();
    ReaderOptions options = ReaderOptions.of(new PlanSettings(0, 2, 2));
    try (RankReader reader = RankReader.open(golden(name), new RankSpec(0, 1), options)) {
      ByteBuffer data = reader.next().tensor("pixel_values").data();
      while (data.hasRemaining()) {
        elements.add(
            switch (bytes) {
              case 1 -> Byte.toUnsignedInt(data.get());
              case 2 -> Short.toUnsignedInt(data.getShort());
              default -> data.getInt();
            });
      }
    }
    return elements;
  }
}
