package io.stoker.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ArrowSchemaTest {
  private static final ArrowSchema EXPECTED = ShardSchema.of("d", PixelLayout.UINT8);

  @ParameterizedTest
  @CsvSource({
    "uint8,single",
    "uint8,duplicated",
    "bfloat16,single",
    "bfloat16,duplicated",
    "float32,duplicated"
  })
  void survivesTheFile(String encoding, String temporal) throws IOException {
    ArrowSchema schema = ShardSchema.of("d", PixelLayout.of(encoding, temporal));
    assertEquals(schema, readBack(schema));
  }

  private static ArrowSchema readBack(ArrowSchema schema) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    new ArrowFileEncoder(out, schema).finish();
    return ArrowFileDecoder.schema("s", ByteBuffer.wrap(out.toByteArray()));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "stoker.format|parquet|s: stoker.format: expected stoker-shard, found parquet|CORRUPT",
        "stoker.format-version|0|s: format version 0 is too old: this reader knows versions 1 to"
            + " 1|TOO_OLD",
        "stoker.format-version|2|s: format version 2 is too new: this reader knows versions 1 to"
            + " 1|TOO_NEW",
        "stoker.format-version|x|s: stoker.format-version: expected a number, found 'x'|CORRUPT",
        "stoker.dataset-id|e|s: stoker.dataset-id: expected d, found e|CORRUPT",
        "stoker.pixel-encoding|float32|s: stoker.pixel-encoding: expected uint8, found"
            + " float32|CORRUPT"
      })
  void wrongMetadataIsNamed(
      String key, String value, String message, ShardFormatException.Kind kind) {
    SortedMap<String, String> metadata = new TreeMap<>(EXPECTED.metadata());
    metadata.put(key, value);
    ShardFormatException e =
        assertThrows(
            ShardFormatException.class,
            () -> readBack(new ArrowSchema(EXPECTED.fields(), metadata)).checkIs("s", EXPECTED));
    assertEquals(message, e.getMessage());
    assertEquals(kind, e.kind());
  }

  @Test
  void wrongColumnIsNamed() {
    ArrowSchema other =
        new ArrowSchema(
            ShardSchema.columns(new PixelLayout(ElementType.UINT8, true)), EXPECTED.metadata());
    ShardFormatException e =
        assertThrows(ShardFormatException.class, () -> readBack(other).checkIs("s", EXPECTED));
    assertEquals(
        "s: column 5: expected pixel_values list<fixed_size_list<uint8, 768>>, found pixel_values"
            + " list<fixed_size_list<uint8, 1536>>",
        e.getMessage());
  }
}
