package io.stoker.preprocess.vision;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.stoker.preprocess.decode.RgbImage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Both implementations of the loops against an independent one, and against each other. */
class ResizeTest {
  private static final long SEED = 20_260_131;

  /** A source size and a target grid. */
  private record Case(int height, int width, int gridHeight, int gridWidth) {
    Grid grid() {
      return new Grid(gridHeight, gridWidth);
    }
  }

  private static List<Case> cases(Random random) {
    List<Case> cases =
        new ArrayList<>(
            List.of(
                new Case(1, 1, 2, 2),
                new Case(1, 200, 2, 12),
                new Case(200, 1, 12, 2),
                new Case(1, 64, 4, 4),
                new Case(64, 1, 4, 4),
                new Case(3, 77, 2, 6),
                new Case(77, 3, 6, 2),
                new Case(2, 2, 4, 6),
                new Case(64, 96, 4, 6),
                new Case(64, 95, 4, 6),
                new Case(63, 96, 4, 6),
                new Case(65, 96, 4, 6),
                new Case(64, 97, 4, 6),
                new Case(1, 3000, 2, 2),
                new Case(3000, 1, 2, 2),
                new Case(2000, 33, 2, 2),
                new Case(5, 1500, 2, 46),
                new Case(257, 130, 16, 10),
                new Case(256, 130, 16, 10),
                new Case(129, 700, 6, 40),
                new Case(70, 1400, 4, 40)));
    for (int i = 0; i < 60; i++) {
      int height = 1 + random.nextInt(i % 3 == 0 ? 12 : 300);
      int width = 1 + random.nextInt(i % 4 == 0 ? 12 : 300);
      cases.add(new Case(height, width, 2 + 2 * random.nextInt(7), 2 + 2 * random.nextInt(7)));
    }
    for (int i = 0; i < 60; i++) {
      int gridHeight = 2 + 2 * random.nextInt(7);
      int gridWidth = 2 + 2 * random.nextInt(10);
      int height = i % 5 == 0 ? 16 * gridHeight : near(gridHeight, random);
      int width = i % 5 == 1 ? 16 * gridWidth : near(gridWidth, random);
      cases.add(new Case(height, width, gridHeight, gridWidth));
    }
    return cases;
  }

  /** A size that {@link RowResize} takes, or nearly. */
  private static int near(int grid, Random random) {
    return Math.max(1, (int) (16 * grid * (0.6 + 0.8 * random.nextDouble())));
  }

  @ParameterizedTest
  @EnumSource(ResizeKernel.class)
  void bothPathsEqualTheReference(ResizeKernel kernel) {
    Random random = new Random(SEED);
    VisionSettings settings = TestImages.checkpoint(kernel);
    // One processor for all cases: scratch memory and cached weights are reused throughout.
    Map<SimdPath, ImageProcessor> processors = new EnumMap<>(SimdPath.class);
    for (SimdPath path : List.of(SimdPath.PLAIN, SimdPath.VECTOR)) {
      processors.put(path, new ImageProcessor(settings, path));
    }
    for (Case c : cases(random)) {
      byte[] source = TestImages.noise(c.height, c.width, random);
      int padding = random.nextInt(3) * random.nextInt(7);
      RgbImage image = TestImages.image(source, c.height, c.width, padding, random.nextBoolean());
      byte[] expected =
          ReferenceResize.resize(
              source,
              c.height,
              c.width,
              16 * c.gridHeight,
              16 * c.gridWidth,
              kernel == ResizeKernel.PILLOW);
      processors.forEach(
          (path, processor) -> {
            byte[] patches = TestImages.patches(processor, image, c.grid());
            assertArrayEquals(
                expected,
                TestImages.unpatch(patches, c.grid()),
                () -> c + " padding " + padding + " " + path + " seed " + SEED);
          });
    }
  }

  @ParameterizedTest
  @CsvSource({
    "TORCH, 480, 640, 26, 36, true",
    "TORCH, 427, 640, 26, 40, true",
    "TORCH, 480, 600, 30, 40, true",
    "TORCH, 300, 400, 26, 26, true",
    "TORCH, 480, 640, 26, 20, false",
    "TORCH, 1480, 640, 26, 40, false",
    "PILLOW, 480, 640, 26, 36, false"
  })
  void rowsAreTakenWhereTheyAreFaster(
      ResizeKernel kernel, int height, int width, int gridHeight, int gridWidth, boolean taken) {
    RgbImage image = TestImages.image(TestImages.synthetic(height, width), height, width);
    Grid grid = new Grid(gridHeight, gridWidth);
    byte[] patches = new byte[grid.patches() * 768];
    Optional<RowResize> rows = SimdPath.VECTOR.rowResize(kernel, new Scratch());
    // Without wide vectors there are none to take.
    assertEquals(RowKernels.areWide(), rows.isPresent());
    boolean expectTaken = taken && rows.isPresent();
    assertEquals(expectTaken, rows.isPresent() && rows.get().patches(image, grid, patches, 0));
    ImageProcessor plain = new ImageProcessor(TestImages.checkpoint(kernel), SimdPath.PLAIN);
    byte[] expected =
        expectTaken ? TestImages.patches(plain, image, grid) : new byte[patches.length];
    assertArrayEquals(expected, patches);
  }

  @ParameterizedTest
  @CsvSource({
    "'0 0 255 255', 8, '0 0 0 52 203 255 255 255'",
    "'0 255 0 255 0 255 0 255', 4, '109 129 126 146'",
    "'10 20 30', 6, '9 12 17 23 28 31'",
    "'0 64 128 255', 2, '35 183'"
  })
  void tinyRows(String source, int width, String expected) {
    int[] samples = ints(source);
    for (ResizeKernel kernel : ResizeKernel.values()) {
      AxisWeights weights = AxisWeights.of(samples.length, width, kernel);
      int[] result = new int[width];
      for (int i = 0; i < width; i++) {
        int sum = 1 << (weights.precision - 1);
        for (int k = 0; k < weights.taps; k++) {
          sum += samples[weights.starts[i] + k] * weights.weights[i * weights.taps + k];
        }
        result[i] = Math.max(0, Math.min(255, sum >> weights.precision));
      }
      assertArrayEquals(ints(expected), result, () -> "weights of " + kernel);
      assertEquals(expected, reference(samples, width, kernel == ResizeKernel.PILLOW));
    }
  }

  private static int[] ints(String text) {
    return Arrays.stream(text.split(" ")).mapToInt(Integer::parseInt).toArray();
  }

  private static String reference(int[] samples, int width, boolean pillow) {
    byte[] gray = new byte[samples.length * 3];
    for (int i = 0; i < gray.length; i++) {
      gray[i] = (byte) samples[i / 3];
    }
    byte[] result = ReferenceResize.resize(gray, 1, samples.length, 1, width, pillow);
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < width; i++) {
      text.append(i == 0 ? "" : " ").append(result[3 * i] & 0xff);
    }
    return text.toString();
  }

  @ParameterizedTest
  @CsvSource({"100, 130, 14", "130, 100, 15", "700, 100, 17"})
  void torchPrecisionDependsOnTheScale(int in, int out, int bits) {
    assertEquals(bits, AxisWeights.of(in, out, ResizeKernel.TORCH).precision);
    assertEquals(22, AxisWeights.of(in, out, ResizeKernel.PILLOW).precision);
  }

  @Test
  void constantPicturesStayConstant() {
    byte[] flat = new byte[37 * 53 * 3];
    Arrays.fill(flat, (byte) 200);
    Grid grid = new Grid(4, 2);
    for (ResizeKernel kernel : ResizeKernel.values()) {
      ImageProcessor processor = new ImageProcessor(TestImages.checkpoint(kernel), SimdPath.AUTO);
      byte[] expected = new byte[grid.patches() * 768];
      Arrays.fill(expected, (byte) 200);
      assertArrayEquals(
          expected, TestImages.patches(processor, TestImages.image(flat, 37, 53), grid));
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = SimdPath.class,
      names = {"PLAIN", "VECTOR"})
  void aSmallPictureBetweenLargeOnesChangesNothing(SimdPath path) {
    Random random = new Random(SEED);
    byte[] large = TestImages.noise(500, 900, random);
    byte[] small = TestImages.noise(20, 33, random);
    VisionSettings settings = TestImages.checkpoint(ResizeKernel.TORCH);
    Grid grid = new Grid(22, 38);
    Grid smallGrid = new Grid(4, 4);

    ImageProcessor processor = new ImageProcessor(settings, path);
    byte[] first = TestImages.patches(processor, TestImages.image(large, 500, 900), grid);
    byte[] between = TestImages.patches(processor, TestImages.image(small, 20, 33), smallGrid);
    byte[] again = TestImages.patches(processor, TestImages.image(large, 500, 900), grid);

    assertArrayEquals(first, again);
    assertArrayEquals(
        TestImages.patches(
            new ImageProcessor(settings, path), TestImages.image(small, 20, 33), smallGrid),
        between);
  }

  @ParameterizedTest
  @CsvSource({"64, 64", "64, 50", "50, 64", "50, 50"})
  void onlyTheImagesOwnBytesAreWritten(int height, int width) {
    Grid grid = new Grid(4, 4);
    RgbImage image = TestImages.image(TestImages.synthetic(height, width), height, width);
    ImageProcessor processor =
        new ImageProcessor(TestImages.checkpoint(ResizeKernel.TORCH), SimdPath.PLAIN);
    int size = grid.patches() * 768;
    byte[] zeros = new byte[size + 20];
    byte[] ones = new byte[size + 20];
    Arrays.fill(ones, (byte) 1);

    processor.patches(image, grid, zeros, 13);
    processor.patches(image, grid, ones, 13);

    assertArrayEquals(
        Arrays.copyOfRange(zeros, 13, 13 + size), Arrays.copyOfRange(ones, 13, 13 + size));
    for (int i = 0; i < 20; i++) {
      int at = i < 13 ? i : size + i;
      assertEquals(0, zeros[at]);
      assertEquals(1, ones[at]);
    }
    assertThrows(IndexOutOfBoundsException.class, () -> processor.patches(image, grid, zeros, 21));
  }
}
