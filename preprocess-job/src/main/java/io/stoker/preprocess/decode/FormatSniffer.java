package io.stoker.preprocess.decode;

import io.stoker.preprocess.reject.SampleRejectedException;
import java.util.List;
import java.util.Locale;

/** Recognises a format by its first bytes. File names and content types do not count. */
final class FormatSniffer {
  private static final int SHOWN = 24;
  private static final int TEXT_PROBE = 512;
  private static final String BYTE_ORDER_MARK = "\u00EF\u00BB\u00BF";

  private record Magic(String name, int offset, String bytes) {}

  /** Pictures, documents and containers that are often met where an image is expected. */
  private static final List<Magic> REFUSED =
      List.of(
          new Magic("a TIFF image", 0, "II*\0"),
          new Magic("a TIFF image", 0, "MM\0*"),
          new Magic("a BigTIFF image", 0, "II+\0"),
          new Magic("a BigTIFF image", 0, "MM\0+"),
          new Magic("an AVIF image", 4, "ftypavi"),
          new Magic("a HEIC image", 4, "ftyphei"),
          new Magic("a HEIC image", 4, "ftyphev"),
          new Magic("a HEIC image", 4, "ftypmif1"),
          new Magic("a HEIC image", 4, "ftypmsf1"),
          new Magic("an ISO media file (MP4, MOV)", 4, "ftyp"),
          new Magic("a JPEG XL image", 0, "\0\0\0\fJXL "),
          new Magic("a JPEG XL image", 0, "\u00FF\n"),
          new Magic("a JPEG 2000 image", 0, "\0\0\0\fjP  "),
          new Magic("a JPEG 2000 image", 0, "\u00FFO\u00FFQ"),
          new Magic("a Photoshop document", 0, "8BPS"),
          new Magic("a PDF document", 0, "%PDF-"),
          new Magic("a PostScript document", 0, "%!PS"),
          new Magic("a RIFF file that is not WebP", 0, "RIFF"),
          new Magic("an icon", 0, "\0\0\1\0"),
          new Magic("a DDS texture", 0, "DDS "),
          new Magic("an OpenEXR image", 0, "v/1\1"),
          new Magic("a Radiance image", 0, "#?RADIANCE"),
          new Magic("a QOI image", 0, "qoif"),
          new Magic("a PNM image", 0, "P1\n"),
          new Magic("a PNM image", 0, "P2\n"),
          new Magic("a PNM image", 0, "P3\n"),
          new Magic("a PNM image", 0, "P4\n"),
          new Magic("a PNM image", 0, "P5\n"),
          new Magic("a PNM image", 0, "P6\n"),
          new Magic("a Matroska or WebM file", 0, "\u001AE\u00DF\u00A3"),
          new Magic("a ZIP archive", 0, "PK\3\4"),
          new Magic("gzip data", 0, "\u001F\u008B"),
          new Magic("zstd data", 0, "(\u00B5/\u00FD"));

  private FormatSniffer() {}

  static ImageFormat sniff(Bytes data) throws SampleRejectedException {
    if (data.length() == 0) {
      throw Reject.corrupt("expected an image, found 0 bytes");
    }
    for (ImageFormat format : ImageFormat.values()) {
      if (format.isFormatOf(data)) {
        return format;
      }
    }
    for (Magic magic : REFUSED) {
      if (data.has(magic.offset(), magic.bytes())) {
        throw Reject.unsupported(found(magic.name(), data));
      }
    }
    throw text(data);
  }

  private static SampleRejectedException text(Bytes data) {
    int size = Math.min(data.length(), TEXT_PROBE);
    String start = new Bytes(data.array(), data.from(), size, data.what()).text();
    if (start.startsWith(BYTE_ORDER_MARK)) {
      start = start.substring(BYTE_ORDER_MARK.length());
    }
    start = start.strip().toLowerCase(Locale.ROOT);
    if (start.startsWith("<svg") || (start.startsWith("<?xml") && start.contains("<svg"))) {
      return Reject.unsupported(found("an SVG drawing", data));
    }
    if (start.startsWith("<!doctype html") || start.startsWith("<html")) {
      return Reject.corrupt(found("an HTML page", data));
    }
    if (start.startsWith("<")) {
      return Reject.corrupt(found("an XML document", data));
    }
    if (start.startsWith("{") || start.startsWith("[")) {
      return Reject.corrupt(found("JSON", data));
    }
    if (start.startsWith("version https://git-lfs")) {
      return Reject.corrupt(found("a Git LFS pointer", data));
    }
    boolean printable = start.chars().allMatch(c -> c >= ' ' || Character.isWhitespace(c));
    return Reject.corrupt(found(printable ? "text" : "unknown bytes", data));
  }

  private static String found(String what, Bytes data) {
    StringBuilder shown = new StringBuilder();
    for (int i = 0; i < Math.min(SHOWN, data.length()); i++) {
      int b = data.array()[data.from() + i] & 0xFF;
      boolean plain = b >= ' ' && b < 0x7F && b != '\\';
      shown.append(plain ? String.valueOf((char) b) : "\\x%02x".formatted(b));
    }
    return "expected an image, found %s (first bytes: %s)".formatted(what, shown);
  }
}
