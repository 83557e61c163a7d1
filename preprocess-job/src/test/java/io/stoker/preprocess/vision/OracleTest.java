package io.stoker.preprocess.vision;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.stoker.format.PixelLayout;
import io.stoker.preprocess.reject.SampleRejectedException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Bytes against hashes taken from the reference libraries. */
class OracleTest {
  private static final List<SimdPath> PATHS = List.of(SimdPath.PLAIN, SimdPath.VECTOR);

  private static JsonNode oracle() throws IOException {
    try (InputStream in = OracleTest.class.getResourceAsStream("/vision/oracle.json")) {
      return new ObjectMapper().readTree(in);
    }
  }

  @TestFactory
  List<DynamicTest> resize() throws IOException {
    List<DynamicTest> tests = new ArrayList<>();
    for (JsonNode golden : oracle().get("resize")) {
      for (ResizeKernel kernel : ResizeKernel.values()) {
        for (SimdPath path : PATHS) {
          String name = golden.get("src") + " to " + golden.get("dst") + " " + kernel + " " + path;
          tests.add(DynamicTest.dynamicTest(name, () -> checkResize(golden, kernel, path)));
        }
      }
    }
    return tests;
  }

  private static void checkResize(JsonNode golden, ResizeKernel kernel, SimdPath path) {
    int height = golden.get("src").get(0).asInt();
    int width = golden.get("src").get(1).asInt();
    Grid grid =
        new Grid(golden.get("dst").get(0).asInt() / 16, golden.get("dst").get(1).asInt() / 16);
    byte[] source = TestImages.synthetic(height, width);
    assertEquals(golden.get("src_sha256").asText(), TestImages.sha256(source));

    ImageProcessor processor = new ImageProcessor(TestImages.checkpoint(kernel), path);
    byte[] patches = TestImages.patches(processor, TestImages.image(source, height, width), grid);

    String expected = kernel == ResizeKernel.TORCH ? "torch_sha256" : "pil_sha256";
    assertEquals(
        golden.get(expected).asText(), TestImages.sha256(TestImages.unpatch(patches, grid)));
  }

  @TestFactory
  List<DynamicTest> pixelValues() throws IOException {
    List<DynamicTest> tests = new ArrayList<>();
    for (JsonNode golden : oracle().get("pixel_values_float32")) {
      for (SimdPath path : PATHS) {
        String name = golden.get("src") + " " + path;
        tests.add(DynamicTest.dynamicTest(name, () -> checkPixelValues(golden, path)));
      }
    }
    return tests;
  }

  private static void checkPixelValues(JsonNode golden, SimdPath path)
      throws SampleRejectedException {
    int height = golden.get("src").get(0).asInt();
    int width = golden.get("src").get(1).asInt();
    VisionSettings settings = TestImages.checkpoint(ResizeKernel.TORCH);
    ImageProcessor processor = new ImageProcessor(settings, path);
    Grid grid = processor.grid(height, width);
    assertEquals(golden.get("grid").get(1).asInt(), grid.height());
    assertEquals(golden.get("grid").get(2).asInt(), grid.width());
    assertEquals(golden.get("shape").get(0).asInt(), grid.patches());
    PixelLayout layout = PixelLayout.of("float32", "duplicated");
    assertEquals(golden.get("shape").get(1).asInt(), layout.valuesPerPatch());

    byte[] source = TestImages.synthetic(height, width);
    byte[] patches = TestImages.patches(processor, TestImages.image(source, height, width), grid);
    PixelEncoder encoder = new PixelEncoder(settings.valueTable(), layout);
    byte[] encoded = new byte[grid.patches() * encoder.bytesPerPatch()];
    encoder.encode(patches, 0, grid.patches(), encoded, 0);

    ByteBuffer values = ByteBuffer.wrap(encoded).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < 4; i++) {
      assertEquals((float) golden.get("first4").get(i).asDouble(), values.getFloat(4 * i));
    }
    assertEquals(golden.get("f32le_sha256").asText(), TestImages.sha256(encoded));
  }
}
