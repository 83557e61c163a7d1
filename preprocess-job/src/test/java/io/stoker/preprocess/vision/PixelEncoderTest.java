package io.stoker.preprocess.vision;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PixelEncoderTest {
  private static final int COUNT = 3;

  private final ValueTable table = new ValueTable(TestImages.checkpoint(ResizeKernel.TORCH));

  @ParameterizedTest
  @CsvSource({
    "UINT8, SINGLE, 768",
    "UINT8, DUPLICATED, 1536",
    "BFLOAT16, SINGLE, 1536",
    "BFLOAT16, DUPLICATED, 3072",
    "FLOAT32, SINGLE, 3072",
    "FLOAT32, DUPLICATED, 6144"
  })
  void everyValueIsInItsPlace(PixelEncoding encoding, PixelTemporal temporal, int bytesPerPatch) {
    byte[] patches = new byte[5 + COUNT * 768];
    new Random(11).nextBytes(patches);
    PixelEncoder encoder = new PixelEncoder(table, encoding, temporal);
    assertEquals(bytesPerPatch, encoder.bytesPerPatch());
    byte[] out = new byte[7 + COUNT * bytesPerPatch + 9];

    encoder.encode(patches, 5, COUNT, out, 7);

    ByteBuffer values = ByteBuffer.wrap(out).order(ByteOrder.LITTLE_ENDIAN).position(7).slice();
    values.order(ByteOrder.LITTLE_ENDIAN);
    int slots = temporal.slots();
    for (int p = 0; p < COUNT; p++) {
      for (int c = 0; c < 3; c++) {
        for (int t = 0; t < slots; t++) {
          for (int i = 0; i < 256; i++) {
            int byteValue = patches[5 + p * 768 + c * 256 + i] & 0xff;
            int q = p * temporal.valuesPerPatch() + (c * slots + t) * 256 + i;
            switch (encoding) {
              case UINT8 -> assertEquals((byte) byteValue, values.get(q));
              case BFLOAT16 -> assertEquals(table.bfloat16(c)[byteValue], values.getShort(2 * q));
              case FLOAT32 -> assertEquals(table.float32(c)[byteValue], values.getFloat(4 * q));
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
