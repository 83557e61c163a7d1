package io.stoker.preprocess.decode;

import io.stoker.preprocess.reject.SampleRejectedException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/** The IHDR chunk of a PNG and the orientation in its eXIf and text chunks. */
final class PngHeader {
  private static final String RAW_PROFILE = "Raw profile type exif";
  private static final String XMP = "XML:com.adobe.xmp";

  /** Pillow's {@code MAX_TEXT_CHUNK}: a compressed text that grows beyond it is not read. */
  private static final int MAX_TEXT_BYTES = 1 << 20;

  /** Compressed texts that are read; more would make a small file expensive. */
  private static final int MAX_COMPRESSED_TEXTS = 8;

  private int exif = Exif.ABSENT;
  private boolean exifSeen;
  private int profile = Exif.ABSENT;
  private int xmp = Exif.ABSENT;
  private int compressedTexts;

  private PngHeader() {}

  static ImageHeader parse(Bytes file, ImageHeader.Limits limits) throws SampleRejectedException {
    List<PngChunks.Chunk> chunks = PngChunks.parse(file);
    PngChunks.Chunk first = chunks.get(0);
    if (!first.type().equals(PngChunks.IHDR)) {
      throw Reject.corrupt("expected the PNG chunk IHDR first, found " + first.type());
    }
    boolean data = false;
    PngHeader metadata = new PngHeader();
    for (PngChunks.Chunk chunk : chunks.subList(1, chunks.size())) {
      data |= chunk.type().equals(PngChunks.IDAT);
      metadata.read(chunk);
    }
    if (!data) {
      throw Reject.corrupt("expected image data in the PNG, found none");
    }
    int exif = metadata.exifSeen ? metadata.exif : metadata.profile;
    return header(first.body(), Exif.choose(exif, metadata.xmp), limits);
  }

  private static ImageHeader header(Bytes ihdr, int orientation, ImageHeader.Limits limits)
      throws SampleRejectedException {
    long width = ihdr.u32(0, true);
    long height = ihdr.u32(4, true);
    if (width > Integer.MAX_VALUE || height > Integer.MAX_VALUE) {
      throw Reject.corrupt("expected PNG sides of 31 bits, found %dx%d".formatted(width, height));
    }
    limits.check(ImageFormat.PNG, width, height);
    int depth = ihdr.u8(8);
    int colour = ihdr.u8(9);
    boolean byteDepth = depth == 8 || depth == 16;
    boolean packed = depth == 1 || depth == 2 || depth == 4;
    int components =
        switch (colour) {
          case 0 -> byteDepth || packed ? 1 : 0;
          case 2 -> byteDepth ? 3 : 0;
          case 3 -> packed || depth == 8 ? 1 : 0;
          case 4 -> byteDepth ? 2 : 0;
          case 6 -> byteDepth ? 4 : 0;
          default -> 0;
        };
    if (components == 0) {
      throw Reject.corrupt(
          "expected a PNG colour type with its bit depths, found type %d with %d bits"
              .formatted(colour, depth));
    }
    return new ImageHeader(
        ImageFormat.PNG, (int) width, (int) height, components, depth, orientation);
  }

  private void read(PngChunks.Chunk chunk) throws SampleRejectedException {
    Bytes body = chunk.body();
    switch (chunk.type()) {
      case PngChunks.IHDR -> throw Reject.corrupt("expected one PNG chunk IHDR, found two");
      case "eXIf" -> {
        exifSeen = true;
        exif = Exif.orientation(body);
      }
      case "tEXt" -> text(body, 1, false);
      case "zTXt" -> text(body, 2, true);
      case "iTXt" -> internationalText(body);
      default -> {}
    }
  }

  /**
   * A text chunk: keyword, zero byte, perhaps a compression method, text.
   *
   * @param gap bytes between the keyword and the text
   */
  private void text(Bytes body, int gap, boolean compressed) throws SampleRejectedException {
    int end = body.indexOf(0, 0);
    if (end >= 0 && end + gap <= body.length()) {
      keep(body, end, end + gap, compressed);
    }
  }

  /** Keyword, zero, compression flag and method, language, zero, keyword again, zero, text. */
  private void internationalText(Bytes body) throws SampleRejectedException {
    int end = body.indexOf(0, 0);
    int language = end < 0 ? -1 : body.indexOf(0, end + 3L);
    int translated = language < 0 ? -1 : body.indexOf(0, language + 1L);
    if (translated >= 0) {
      keep(body, end, translated + 1, body.u8(end + 1L) != 0);
    }
  }

  private void keep(Bytes body, int keywordEnd, int start, boolean compressed)
      throws SampleRejectedException {
    boolean isProfile = keywordEnd == RAW_PROFILE.length() && body.has(0, RAW_PROFILE);
    boolean isXmp = keywordEnd == XMP.length() && body.has(0, XMP);
    if (!isProfile && !isXmp) {
      return;
    }
    Bytes text = body.slice(start, body.length() - (long) start, "PNG text");
    if (compressed) {
      byte[] inflated = compressedTexts++ < MAX_COMPRESSED_TEXTS ? inflate(text) : null;
      if (inflated == null) {
        return;
      }
      text = Bytes.of(inflated, "PNG text");
    }
    if (isXmp) {
      xmp = Exif.xmpOrientation(text);
    } else {
      profile = profileOrientation(text);
    }
  }

  /** ImageMagick's form: an empty line, the name, the length, then lines of hexadecimal digits. */
  private static int profileOrientation(Bytes text) {
    int start = 0;
    for (int line = 0; line < 3; line++) {
      start = text.indexOf('\n', start) + 1;
      if (start == 0) {
        return Exif.ABSENT;
      }
    }
    String digits = text.text().substring(start).replaceAll("\\s", "");
    try {
      return Exif.orientation(Bytes.of(HexFormat.of().parseHex(digits), "EXIF profile"));
    } catch (IllegalArgumentException noHex) {
      return Exif.ABSENT;
    }
  }

  private static byte @Nullable [] inflate(Bytes compressed) {
    Inflater inflater = new Inflater();
    try {
      inflater.setInput(compressed.array(), compressed.from(), compressed.length());
      byte[] out = new byte[MAX_TEXT_BYTES];
      int size = inflater.inflate(out);
      return inflater.finished() || size < out.length ? Arrays.copyOf(out, size) : null;
    } catch (DataFormatException broken) {
      return null;
    } finally {
      inflater.end();
    }
  }
}
