package io.stoker.preprocess.vision;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VisionSettingsTest {
  private static final List<Double> HALF = List.of(0.5, 0.5, 0.5);

  @ParameterizedTest
  @CsvSource({
    "14, 2, 2, 'only patch size 16 is supported, found 14'",
    "16, 1, 2, 'only merge size 2 is supported, found 1'",
    "16, 2, 1, 'only temporal patch size 2 is supported, found 1'"
  })
  void otherGeometryIsRefused(int patch, int merge, int temporal, String message) {
    assertRefused(
        message,
        () -> new VisionSettings(1, 2, patch, merge, temporal, HALF, HALF, ResizeKernel.TORCH));
  }

  @Test
  void boundsMustBeInOrder() {
    assertRefused(
        "expected 1 <= min pixels <= max pixels, found min pixels 9 and max pixels 8",
        () -> TestImages.settings(9, 8, ResizeKernel.TORCH));
  }

  @Test
  void threePositiveDeviationsAreNeeded() {
    List<Double> zero = List.of(0.5, 0.0, 0.5);
    assertRefused(
        "expected 3 positive numbers as std, found [0.5, 0.0, 0.5]",
        () -> new VisionSettings(1, 2, 16, 2, 2, HALF, zero, ResizeKernel.TORCH));
    assertRefused(
        "expected 3 finite numbers as mean, found [0.5]",
        () -> new VisionSettings(1, 2, 16, 2, 2, List.of(0.5), HALF, ResizeKernel.TORCH));
  }

  private static void assertRefused(String message, Runnable construction) {
    IllegalArgumentException e = assertThrows(IllegalArgumentException.class, construction::run);
    assertEquals(message, e.getMessage());
  }

  @Test
  void survivesJavaSerialization() throws IOException, ClassNotFoundException {
    VisionSettings settings = TestImages.checkpoint(ResizeKernel.PILLOW);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(settings);
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      assertEquals(settings, in.readObject());
    }
  }
}
