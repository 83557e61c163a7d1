package io.stoker.preprocess.vision;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.stoker.format.PixelLayout;
import io.stoker.index.ValueTable;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PixelEncoderTest {
  private static final int COUNT = 3;

  private final ValueTable table = TestImages.checkpoint(ResizeKernel.TORCH).valueTable();

  @ParameterizedTest
  @CsvSource({
    "uint8, single, 768",
    "uint8, duplicated, 1536",
    "bfloat16, single, 1536",
    "bfloat16, duplicated, 3072",
    "float32, single, 3072",
    "float32, duplicated, 6144"
  })
  void everyValueIsInItsPlace(String encoding, String temporal, int bytesPerPatch) {
    PixelLayout layout = PixelLayout.of(encoding, temporal);
    byte[] patches = new byte[5 + COUNT * 768];
    new Random(11).nextBytes(patches);
    PixelEncoder encoder = new PixelEncoder(table, layout);
    assertEquals(bytesPerPatch, encoder.bytesPerPatch());
    byte[] out = new byte[7 + COUNT * bytesPerPatch + 9];

    encoder.encode(patches, 5, COUNT, out, 7);

    ByteBuffer values = ByteBuffer.wrap(out).order(ByteOrder.LITTLE_ENDIAN).position(7).slice();
    values.order(ByteOrder.LITTLE_ENDIAN);
    int slots = layout.duplicated() ? 2 : 1;
    for (int p = 0; p < COUNT; p++) {
      for (int c = 0; c < 3; c++) {
        for (int t = 0; t < slots; t++) {
          for (int i = 0; i < 256; i++) {
            int byteValue = patches[5 + p * 768 + c * 256 + i] & 0xff;
            int q = p * layout.valuesPerPatch() + (c * slots + t) * 256 + i;
            switch (layout.type()) {
              case UINT8 -> assertEquals((byte) byteValue, values.get(q));
              case BFLOAT16 ->
                  assertEquals(
                      PixelEncoder.bfloat16(table.value(c, byteValue)), values.getShort(2 * q));
              case FLOAT32 -> assertEquals(table.value(c, byteValue), values.getFloat(4 * q));
              default -> throw new AssertionError(layout);
            }
          }
        }
      }
    }
    for (int i = 0; i < 16; i++) {
      assertEquals(0, out[i < 7 ? i : COUNT * bytesPerPatch + i], "outside the range");
    }
    assertThrows(IndexOutOfBoundsException.class, () -> encoder.encode(patches, 6, COUNT, out, 0));
    assertThrows(IndexOutOfBoundsException.class, () -> encoder.encode(patches, 0, COUNT, out, 17));
  }
}
