package io.stoker.preprocess.decode;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.stoker.preprocess.reject.RejectReason;
import io.stoker.preprocess.reject.SampleRejectedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class DecoderTest {
  private static final Decoder DECODER = new Decoder(Fixtures.SETTINGS);
  private static final Path EXAMPLES = Path.of("..", "examples", "images");

  static Collection<Fixtures.Stated> files() {
    return Fixtures.stated("expected.json").values();
  }

  static Collection<Fixtures.Stated> examples() {
    return Fixtures.stated("expected-examples.json").values();
  }

  @AfterAll
  static void close() {
    DECODER.close();
  }

  @ParameterizedTest
  @MethodSource("files")
  void samePixelsAsPillowOrTheStatedRejection(Fixtures.Stated file) {
    assertEquals(file.answer(), Fixtures.answer(DECODER, Fixtures.bytes(file.name())));
  }

  @ParameterizedTest
  @MethodSource("examples")
  void examplePhotographsHaveThePixelsOfPillow(Fixtures.Stated photo) throws IOException {
    byte[] data = Files.readAllBytes(EXAMPLES.resolve(photo.name()));
    assertEquals(photo.answer(), Fixtures.answer(DECODER, data));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void answersDoNotDependOnEarlierImages(long seed) {
    List<Fixtures.Stated> shuffled = new ArrayList<>(files());
    Collections.shuffle(shuffled, new Random(seed));
    try (Decoder decoder = new Decoder(Fixtures.SETTINGS)) {
      assertAll(
          shuffled.stream()
              .map(
                  file ->
                      () ->
                          assertEquals(
                              file.answer(),
                              Fixtures.answer(decoder, Fixtures.bytes(file.name())),
                              file.name())));
    }
  }

  @Test
  void decodersOfSeveralThreadsDoNotDisturbEachOther() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(3);
    try {
      List<Callable<List<String>>> tasks = Collections.nCopies(3, DecoderTest::answers);
      List<String> stated = files().stream().map(Fixtures.Stated::answer).toList();
      for (Future<List<String>> answers : threads.invokeAll(tasks)) {
        assertEquals(stated, answers.get());
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private static List<String> answers() {
    try (Decoder decoder = new Decoder(Fixtures.SETTINGS)) {
      return files().stream()
          .map(file -> Fixtures.answer(decoder, Fixtures.bytes(file.name())))
          .toList();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"jpeg-exif-%d.jpg", "png-exif-%d.png", "webp-exif-%d.webp"})
  void orientationCanBeSwitchedOff(String pattern) {
    DecodeSettings asStored = new DecodeSettings(1000, 100_000, false, Fixtures.SETTINGS.formats());
    String upright = Fixtures.answer(DECODER, Fixtures.bytes(pattern.formatted(1)));
    for (int orientation = 2; orientation <= 8; orientation++) {
      byte[] data = Fixtures.bytes(pattern.formatted(orientation));
      assertEquals(upright, Fixtures.answer(DECODER, data, asStored));
    }
  }

  @Test
  void pixelsAreADirectViewWithoutGaps() throws SampleRejectedException {
    byte[] data = Fixtures.bytes("jpeg-420.jpg");
    RgbImage image = DECODER.decode(data, ImageHeaders.read(data, Fixtures.SETTINGS));
    assertTrue(image.pixels().isDirect());
    assertEquals(3 * 41, image.rowStride());
    assertEquals(3 * 41 * 31, image.pixels().capacity());
  }

  /** The header of one file with the bytes of another, as after a mix-up of buffers. */
  @ParameterizedTest
  @ValueSource(strings = {"jpeg-17x33.jpg", "png-3x40.png", "webp-3x40.webp", "gif-3x40.gif"})
  void aHeaderOfAnotherSizeIsRefused(String name) throws SampleRejectedException {
    byte[] data = Fixtures.bytes(name);
    ImageHeader own = ImageHeaders.read(data, Fixtures.SETTINGS);
    ImageHeader other =
        new ImageHeader(
            own.format(), own.width() + 1, own.height(), own.components(), own.bitDepth(), 1);
    SampleRejectedException rejected =
        assertThrows(SampleRejectedException.class, () -> DECODER.decode(data, other));
    assertEquals(RejectReason.IMAGE_CORRUPT, rejected.reason());
  }

  @Test
  void aClosedDecoderSaysSo() throws SampleRejectedException {
    byte[] data = Fixtures.bytes("jpeg-420.jpg");
    ImageHeader header = ImageHeaders.read(data, Fixtures.SETTINGS);
    Decoder decoder = new Decoder(Fixtures.SETTINGS);
    decoder.close();
    decoder.close();
    assertThrows(IllegalStateException.class, () -> decoder.decode(data, header));
  }

  /** A cut picture must not be completed with what an earlier picture left in memory. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "jpeg-420.jpg",
        "jpeg-420-progressive.jpg",
        "png-rgb.png",
        "bmp-rgb.bmp",
        "webp-lossy.webp",
        "gif-plain.gif",
        "jpeg-cmyk.jpg"
      })
  void aCutPictureIsRefusedAfterAWholeOne(String name) {
    byte[] whole = Fixtures.bytes(name);
    for (int percent : new int[] {20, 50, 80, 95}) {
      Fixtures.answer(DECODER, whole);
      byte[] cut = Arrays.copyOf(whole, whole.length * percent / 100);
      assertEquals("image_corrupt", Fixtures.answer(DECODER, cut));
    }
  }
}
