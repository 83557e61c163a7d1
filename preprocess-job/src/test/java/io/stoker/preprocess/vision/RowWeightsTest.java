package io.stoker.preprocess.vision;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RowWeightsTest {
  private static final long SEED = 20_261_130;

  @Test
  void sumsOfFloatsAreThoseOfTheReference() {
    Random random = new Random(SEED);
    for (int out = 16; out <= 640; out += 16) {
      int in = (int) (out * (0.5 + 1.5 * random.nextDouble()));
      AxisWeights axis = AxisWeights.of(in, out, ResizeKernel.TORCH);
      if (RowWeights.rows(axis).isPresent()) {
        check(axis, RowWeights.rows(axis).get(), random);
      }
    }
  }

  private static void check(AxisWeights axis, RowWeights rows, Random random) {
    int[] samples = new int[axis.taps];
    for (int i = 0; i < axis.starts.length; i++) {
      for (int kind = 0; kind < 64; kind++) {
        for (int k = 0; k < axis.taps; k++) {
          boolean positive = axis.weights[i * axis.taps + k] > 0;
          samples[k] =
              switch (kind) {
                case 0 -> positive ? 255 : 0;
                case 1 -> positive ? 0 : 255;
                case 2 -> 255;
                default -> random.nextInt(256);
              };
        }
        assertEquals(reference(axis, i, samples), sample(rows, i, samples), () -> "seed " + SEED);
      }
    }
  }

  private static int reference(AxisWeights axis, int i, int[] samples) {
    int sum = 1 << (axis.precision - 1);
    for (int k = 0; k < samples.length; k++) {
      sum += samples[k] * axis.weights[i * axis.taps + k];
    }
    return Math.max(0, Math.min(255, sum >> axis.precision));
  }

  /** Without fused multiplication, because sums are exact either way. */
  private static int sample(RowWeights rows, int i, int[] samples) {
    float sum = RowWeights.START;
    for (int k = 0; k < samples.length; k++) {
      sum += samples[k] * rows.weights[i * rows.taps + k];
    }
    float rounded = Math.fma(sum, rows.scale, rows.rounder) - RowWeights.ROUNDER;
    return Math.max(0, Math.min(255, (int) rounded));
  }

  /** The two outcomes next to a half, for every value of a sample. */
  @Test
  void halvesRoundUpAndWhatIsBelowThemDown() {
    AxisWeights axis = AxisWeights.of(1110, 1000, ResizeKernel.TORCH);
    RowWeights rows = RowWeights.rows(axis).orElseThrow();
    for (int value = 0; value < 255; value++) {
      float half = RowWeights.START + (value << axis.precision) + (1 << (axis.precision - 1));
      assertEquals(value + 1, Math.fma(half, rows.scale, rows.rounder) - RowWeights.ROUNDER);
      assertEquals(value, Math.fma(half - 1, rows.scale, rows.rounder) - RowWeights.ROUNDER);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "640, 576, TORCH, true, true",
    "350, 416, TORCH, true, true",
    "320, 416, TORCH, true, false",
    "800, 640, TORCH, true, false",
    "1280, 640, TORCH, false, false",
    "640, 576, PILLOW, false, false"
  })
  void steepScalesAndLongWeightsAreLeftToOthers(
      int in, int out, ResizeKernel kernel, boolean rows, boolean blocks) {
    AxisWeights axis = AxisWeights.of(in, out, kernel);
    assertEquals(rows, RowWeights.rows(axis).isPresent());
    assertEquals(blocks, RowWeights.blocks(axis, 16).isPresent());
  }

  @Test
  void everyWeightOfAnOutputIsInItsLane() {
    for (int in : new int[] {300, 320, 333, 360}) {
      AxisWeights axis = AxisWeights.of(in, 320, ResizeKernel.TORCH);
      RowWeights blocks = RowWeights.blocks(axis, 16).orElseThrow();
      for (int i = 0; i < 320; i++) {
        int found = 0;
        for (int k = 0; k < blocks.taps; k++) {
          int weight = (int) blocks.weights[(i / 16 * blocks.taps + k) * 16 + i % 16];
          int tap = blocks.starts[i / 16] + k + i % 16 - axis.starts[i];
          assertTrue(weight == 0 || axis.weights[i * axis.taps + tap] == weight);
          found += weight == 0 ? 0 : 1;
        }
        int expected = 0;
        for (int k = 0; k < axis.taps; k++) {
          expected += axis.weights[i * axis.taps + k] == 0 ? 0 : 1;
        }
        assertEquals(expected, found);
      }
    }
  }
}
