package io.stoker.preprocess.vision;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.stoker.format.PixelLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Case 8 of the specification: a 128x160 picture that needs no resize. */
class PatchOrderTest {
  private static final int HEIGHT = 128;
  private static final int WIDTH = 160;
  private static final Grid GRID = new Grid(8, 10);

  private final byte[] source = TestImages.synthetic(HEIGHT, WIDTH);
  private final byte[] patches =
      TestImages.patches(
          new ImageProcessor(TestImages.checkpoint(ResizeKernel.TORCH), SimdPath.PLAIN),
          TestImages.image(source, HEIGHT, WIDTH),
          GRID);

  @ParameterizedTest
  @CsvSource({
    "0, 0, 0",
    "1, 0, 1",
    "2, 1, 0",
    "3, 1, 1",
    "4, 0, 2",
    "5, 0, 3",
    "6, 1, 2",
    "7, 1, 3",
    "20, 2, 0"
  })
  void patchesComeInMergeBlocks(int patch, int gridRow, int gridColumn) {
    int pixel = (16 * gridRow * WIDTH + 16 * gridColumn) * 3;
    byte[] encoded = new byte[1536];
    new PixelEncoder(
            TestImages.checkpoint(ResizeKernel.TORCH).valueTable(),
            PixelLayout.of("uint8", "duplicated"))
        .encode(patches, patch * 768, 1, encoded, 0);
    assertEquals(source[pixel], encoded[0], "R");
    assertEquals(source[pixel], encoded[256], "R of the second temporal copy");
    assertEquals(source[pixel + 1], encoded[512], "G");
    assertEquals(source[pixel + 2], encoded[1024], "B");
  }

  @Test
  void everyByteIsInItsPlace() {
    assertEquals(TestImages.sha256(source), TestImages.sha256(TestImages.unpatch(patches, GRID)));
  }
}
