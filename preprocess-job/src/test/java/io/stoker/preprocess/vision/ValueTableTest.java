package io.stoker.preprocess.vision;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.stoker.index.ValueTable;
import java.util.List;
import org.junit.jupiter.api.Test;

class ValueTableTest {
  private static final List<Double> CLIP_MEAN = List.of(0.48145466, 0.4578275, 0.40821073);
  private static final List<Double> CLIP_STD = List.of(0.26862954, 0.26130258, 0.27577711);

  private final ValueTable table = TestImages.checkpoint(ResizeKernel.TORCH).valueTable();

  @Test
  void checkpointValues() {
    for (int channel = 0; channel < 3; channel++) {
      float[] values = table.toArray()[channel];
      assertEquals(-1.0f, values[0]);
      assertEquals(-0.003921569f, values[127]);
      assertEquals(0.003921569f, values[128]);
      assertEquals(1.0f, values[255]);
      for (int v = 0; v < 256; v++) {
        assertEquals((v - 127.5f) / 127.5f, values[v]);
      }
    }
  }

  @Test
  void clipValuesDifferPerChannel() {
    ValueTable clip =
        new VisionSettings(1, 1, 16, 2, 2, CLIP_MEAN, CLIP_STD, ResizeKernel.TORCH).valueTable();
    for (int channel = 0; channel < 3; channel++) {
      float mean = CLIP_MEAN.get(channel).floatValue() * 255f;
      float std = CLIP_STD.get(channel).floatValue() * 255f;
      assertEquals((99 - mean) / std, clip.value(channel, 99));
    }
  }

  @Test
  void bfloat16IsTheNearestWithTiesToEven() {
    float[] exact = table.toArray()[0];
    short[] rounded = new short[exact.length];
    for (int v = 0; v < exact.length; v++) {
      rounded[v] = PixelEncoder.bfloat16(exact[v]);
    }
    assertEquals((short) 0xbf80, rounded[0]);
    assertEquals((short) 0x3f80, rounded[255]);
    for (int v = 0; v < 256; v++) {
      float value = Float.intBitsToFloat(rounded[v] << 16);
      float above = Float.intBitsToFloat((rounded[v] + 1) << 16);
      float below = Float.intBitsToFloat((rounded[v] - 1) << 16);
      double error = Math.abs((double) value - exact[v]);
      boolean even = (rounded[v] & 1) == 0;
      for (float other : new float[] {above, below}) {
        double otherError = Math.abs((double) other - exact[v]);
        assertEquals(true, even ? error <= otherError : error < otherError, "value " + v);
      }
    }
  }

  @Test
  void tablesAreCopies() {
    table.toArray()[0][0] = 7;
    assertEquals(-1.0f, table.value(0, 0));
  }
}
