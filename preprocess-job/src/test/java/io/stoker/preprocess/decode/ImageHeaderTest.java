package io.stoker.preprocess.decode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.stoker.preprocess.reject.RejectReason;
import io.stoker.preprocess.reject.SampleRejectedException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ImageHeaderTest {
  private static ImageHeader read(String name) throws SampleRejectedException {
    return ImageHeaders.read(Fixtures.bytes(name), Fixtures.SETTINGS);
  }

  private static SampleRejectedException refuse(String name, DecodeSettings settings) {
    return assertThrows(
        SampleRejectedException.class, () -> ImageHeaders.read(Fixtures.bytes(name), settings));
  }

  @ParameterizedTest
  @CsvSource({
    "jpeg-420.jpg,              JPEG, 41, 31, 3, 8,  1",
    "jpeg-gray.jpg,             JPEG, 41, 31, 1, 8,  1",
    "jpeg-cmyk.jpg,             JPEG, 41, 31, 4, 8,  1",
    "jpeg-exif-6.jpg,           JPEG, 13, 7,  3, 8,  6",
    "jpeg-exif-9.jpg,           JPEG, 13, 7,  3, 8,  1",
    "jpeg-exif-ifd-past-end.jpg,JPEG, 13, 7,  3, 8,  1",
    "jpeg-8x65500.jpg,          JPEG, 8, 65500, 3, 8, 1",
    "png-gray-2.png,            PNG,  13, 9,  1, 2,  1",
    "png-gray-16.png,           PNG,  24, 9,  1, 16, 1",
    "png-la-16.png,             PNG,  13, 9,  2, 16, 1",
    "png-exif-7.png,            PNG,  13, 7,  3, 8,  7",
    "png-raw-profile-z.png,     PNG,  13, 7,  3, 8,  6",
    "png-ztxt-exif-bomb.png,    PNG,  41, 31, 3, 8,  1",
    "webp-lossy.webp,           WEBP, 41, 31, 3, 8,  1",
    "webp-lossless-alpha.webp,  WEBP, 41, 31, 4, 8,  1",
    "webp-exif-8.webp,          WEBP, 13, 7,  3, 8,  8",
    "gif-frame-outside.gif,     GIF,  50, 35, 1, 8,  1",
    "bmp-24-top-down.bmp,       BMP,  13, 9,  3, 8,  1",
    "bmp-core.bmp,              BMP,  13, 9,  3, 8,  1",
    "webp-named.gif,            WEBP, 41, 31, 3, 8,  1",
  })
  void saysWhatTheFileSays(
      String name, ImageFormat format, int width, int height, int components, int bits, int turn)
      throws SampleRejectedException {
    assertEquals(new ImageHeader(format, width, height, components, bits, turn), read(name));
  }

  @Test
  void displayedSidesFollowTheOrientation() throws SampleRejectedException {
    for (int orientation = 1; orientation <= 8; orientation++) {
      ImageHeader header = read("jpeg-exif-%d.jpg".formatted(orientation));
      assertEquals(orientation < 5 ? 13 : 7, header.displayedWidth());
      assertEquals(orientation < 5 ? 7 : 13, header.displayedHeight());
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "empty.jpg    | found 0 bytes",
        "html.jpg     | expected an image, found an HTML page (first bytes: <!DOCTYPE"
            + " html><html><bo)",
        "html-bom.jpg | found an HTML page (first bytes: \\xef\\xbb\\xbf\\x0d\\x0a  <HTML>",
        "xml.jpg      | found an XML document",
        "json.jpg     | found JSON (first bytes: {\"error\"",
        "text.jpg     | found text (first bytes: Not found\\x0a)",
        "lfs.jpg      | found a Git LFS pointer",
        "zeros.jpg    | found unknown bytes",
        "avif.jpg     | found an AVIF image",
        "heic.jpg     | found a HEIC image",
        "jxl.jpg      | found a JPEG XL image",
        "jp2.jpg      | found a JPEG 2000 image",
        "svg-xml.jpg  | found an SVG drawing",
        "psd.jpg      | found a Photoshop document",
        "pdf.jpg      | found a PDF document",
        "tiff.tif     | found a TIFF image",
        "jpeg-12-bit.jpg         | expected a JPEG of 8 bits per sample, found 12",
        "jpeg-lossless.jpg       | found one that is lossless (marker c3)",
        "jpeg-arithmetic.jpg     | found one that is arithmetic-coded (marker c9)",
        "jpeg-two-components.jpg | expected a JPEG of 1, 3 or 4 components, found 2",
        "png-bad-crc-ihdr.png    | of the IHDR chunk at offset 8, found",
        "png-20000-square.png    | expected at most 178956970 pixels, found a PNG of 20000x20000",
        "gif-no-frame.gif        | expected a frame in the GIF, found its end",
        "bmp-cut-99.bmp          | expected 360 bytes of BMP pixels at offset 54, found the end at"
            + " 409",
      })
  void refusalsSayWhatWasFound(String name, String part) {
    String detail = refuse(name, Fixtures.SETTINGS).detail();
    assertTrue(detail.contains(part), detail);
  }

  @Test
  void limitsHoldBeforeAnythingIsDecoded() throws SampleRejectedException {
    byte[] data = Fixtures.bytes("jpeg-420.jpg");
    Set<ImageFormat> all = EnumSet.allOf(ImageFormat.class);
    ImageHeaders.read(data, new DecodeSettings(41 * 31, data.length, true, all));
    assertEquals(
        RejectReason.TOO_MANY_PIXELS,
        refuse("jpeg-420.jpg", new DecodeSettings(41 * 31 - 1, data.length, true, all)).reason());
    assertEquals(
        RejectReason.IMAGE_TOO_LARGE,
        refuse("jpeg-420.jpg", new DecodeSettings(41 * 31, data.length - 1, true, all)).reason());
    SampleRejectedException notAllowed =
        refuse(
            "jpeg-420.jpg",
            new DecodeSettings(41 * 31, data.length, true, EnumSet.of(ImageFormat.PNG)));
    assertEquals(RejectReason.UNSUPPORTED_FORMAT, notAllowed.reason());
    assertEquals("expected one of [PNG], found JPEG", notAllowed.detail());
  }

  @Test
  void settingsAreCheckedAndTravel() throws IOException, ClassNotFoundException {
    Set<ImageFormat> png = EnumSet.of(ImageFormat.PNG);
    assertThrows(IllegalArgumentException.class, () -> new DecodeSettings(0, 1, true, png));
    assertThrows(IllegalArgumentException.class, () -> new DecodeSettings(1, 0, true, png));
    long tooMany = DecodeSettings.PIXELS_ADDRESSABLE + 1;
    assertThrows(IllegalArgumentException.class, () -> new DecodeSettings(tooMany, 1, true, png));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(Fixtures.SETTINGS);
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      assertEquals(Fixtures.SETTINGS, in.readObject());
    }
  }
}
