package io.stoker.preprocess.vision;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.stoker.preprocess.reject.RejectReason;
import io.stoker.preprocess.reject.SampleRejectedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SmartResizeTest {

  @ParameterizedTest
  @CsvSource({
    "1080, 1920, 1088, 1920, 2040",
    "480, 640, 480, 640, 300",
    "300, 200, 320, 224, 70",
    "64, 96, 224, 320, 70",
    "224, 224, 256, 256, 64",
    "48, 80, 224, 352, 77",
    "240, 272, 256, 256, 64",
    "368, 560, 384, 576, 216",
    "1000, 1000, 992, 992, 961",
    "16, 16, 256, 256, 64",
    "1, 200, 32, 3648, 114",
    "4096, 4096, 4096, 4096, 16384",
    "4097, 4097, 4096, 4096, 16384",
    "5000, 8000, 3232, 5152, 16261",
    "20000, 100, 20000, 96, 1875"
  })
  void checkpointBounds(int height, int width, int newHeight, int newWidth, int tokens)
      throws SampleRejectedException {
    check(height, width, 65_536, 16_777_216, newHeight, newWidth, tokens);
  }

  @ParameterizedTest
  @CsvSource({
    "1080, 1920, 480, 896, 420",
    "480, 640, 480, 640, 300",
    "64, 96, 96, 160, 15",
    "500, 375, 512, 384, 192",
    "672, 672, 672, 672, 441",
    "100, 100, 128, 128, 16"
  })
  void finetuneDefaultBounds(int height, int width, int newHeight, int newWidth, int tokens)
      throws SampleRejectedException {
    check(height, width, 12_544, 451_584, newHeight, newWidth, tokens);
  }

  private static void check(
      int height, int width, long min, long max, int newHeight, int newWidth, int tokens)
      throws SampleRejectedException {
    Grid grid = SmartResize.grid(height, width, min, max);
    assertEquals(new Grid(newHeight / 16, newWidth / 16), grid);
    assertEquals(tokens, grid.tokens());
    assertEquals(4 * tokens, grid.patches());
  }

  @Test
  void aRatioOver200IsRejected() {
    for (long[] bounds : new long[][] {{65_536, 16_777_216}, {12_544, 451_584}}) {
      SampleRejectedException e =
          assertThrows(
              SampleRejectedException.class, () -> SmartResize.grid(1, 201, bounds[0], bounds[1]));
      assertEquals(RejectReason.ASPECT_RATIO, e.reason());
      assertEquals(
          "expected one side at most 200 times the other, found 201x1 (width x height)",
          e.detail());
    }
  }

  @Test
  void aLongPictureKeepsOneToken() throws SampleRejectedException {
    // The floor of the short side would be 0; the reference keeps 32 and goes above the bound.
    assertEquals(new Grid(2, 44), SmartResize.grid(50, 10_000, 1_024, 2_500));
  }

  @Test
  void aSideOfZeroIsAFault() {
    assertThrows(IllegalArgumentException.class, () -> SmartResize.grid(0, 10, 1, 2));
  }
}
