package io.stoker.preprocess.it;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.stoker.format.PixelLayout;
import java.io.IOException;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Datasets with every encoding of pixels. */
@ExtendWith(Lab.Resolver.class)
class PixelEncodingIT {
  private static final String MODEL_READY = "float32-duplicated";

  private final Lab lab;

  PixelEncodingIT(Lab lab) {
    this.lab = lab;
  }

  private Submission submission(String encoding, String temporal) {
    return lab.submission(encoding + "-" + temporal)
        .quick()
        .master("local[2]")
        .set("pixels.encoding", encoding)
        .set("pixels.temporal", temporal)
        .set("shard.max-bytes", "64m")
        .set("block.bytes", "8m");
  }

  private DatasetFiles modelReady() {
    return lab.dataset(
        MODEL_READY, submission("float32", "duplicated").set("pack.enabled", "false"));
  }

  @ParameterizedTest
  @CsvSource({"float32,single,1", "bfloat16,single,1", "bfloat16,duplicated,2"})
  void storedPixelsAreTheRawOnesMapped(String encoding, String temporal, int slots)
      throws IOException {
    DatasetFiles files = lab.dataset(encoding + "-" + temporal, submission(encoding, temporal));
    PixelLayout layout = PixelLayout.of(encoding, temporal);
    assertEquals(layout, files.dataset().pixels());
    assertEquals(lab.reference().dataset().valueTable(), files.dataset().valueTable());
    Map<String, String> expected = new TreeMap<>();
    FinishedSamples.read(lab.reference())
        .forEach(
            (id, sample) ->
                expected.put(
                    id,
                    Sha256.hex(sample.pixels(files.dataset().valueTable(), layout.type(), slots))));
    Map<String, String> found = new TreeMap<>();
    FinishedSamples.read(files).forEach((id, sample) -> found.put(id, Sha256.hex(sample.pixels())));
    assertEquals(expected, found);
  }

  @Test
  void float32DuplicatedIsTheReferencesTensor() throws IOException {
    SortedMap<String, String> found = new TreeMap<>();
    FinishedSamples.read(modelReady())
        .forEach(
            (id, sample) -> {
              if (sample.patches() > 0) {
                found.put(id, Sha256.hex(sample.pixels()));
              }
            });
    assertEquals(Oracle.pixelTensors(), found);
  }

  @Test
  void withoutPackingEverySampleIsAPack() {
    assertEquals(Oracle.SAMPLES, modelReady().dataset().counts().packs());
    assertEquals(Oracle.SAMPLES, modelReady().dataset().counts().samples());
  }
}
