package io.stoker.preprocess.decode;

import io.stoker.preprocess.reject.SampleRejectedException;

/**
 * The orientation in EXIF and XMP metadata, found where Pillow finds it: tag 274 of the first
 * directory of the EXIF block or, where that has no such tag, {@code tiff:Orientation} in XMP.
 */
final class Exif {
  /** The block has no orientation tag. */
  static final int ABSENT = -1;

  /** The tag holds something else than an orientation. XMP does not count then. */
  private static final int BROKEN = 0;

  /**
   * The orientation of a picture that is stored upright. It also stands for any value outside 1 to
   * 8.
   */
  static final int UPRIGHT = 1;

  private static final int ORIENTATION_TAG = 274;
  private static final int ENTRY_BYTES = 12;
  private static final String PREFIX = "Exif\0\0";
  private static final String XMP_NAME = "tiff:Orientation";

  private Exif() {}

  /**
   * The orientation to apply, 1 to 8.
   *
   * @param exif the value of the EXIF tag or {@link #ABSENT}
   * @param xmp the value in XMP or {@link #ABSENT}
   */
  static int choose(int exif, int xmp) {
    int value = exif == ABSENT ? xmp : exif;
    return value >= 1 && value <= 8 ? value : UPRIGHT;
  }

  /** The value of the orientation tag, whatever it is, or {@link #ABSENT}. Never throws. */
  static int orientation(Bytes block) {
    int found = ABSENT;
    try {
      Bytes tiff = block;
      while (tiff.has(0, PREFIX)) {
        tiff = tiff.slice(PREFIX.length(), tiff.length() - PREFIX.length(), "EXIF block");
      }
      if (tiff.length() == 0) {
        return ABSENT;
      }
      boolean bigEndian = tiff.has(0, "MM");
      // Pillow also takes the two bytes of 42 in the wrong order.
      boolean magic = tiff.has(2, "*\0") || tiff.has(2, "\0*");
      if (!magic || !(bigEndian || tiff.has(0, "II"))) {
        return BROKEN;
      }
      long directory = tiff.u32(4, bigEndian);
      int entries = tiff.u16(directory, bigEndian);
      for (int i = 0; i < entries; i++) {
        // The last entry wins; a directory cut short keeps what was read before.
        found = value(tiff, directory + 2 + (long) ENTRY_BYTES * i, bigEndian, found);
      }
    } catch (SampleRejectedException cutShort) {
      return found;
    }
    return found;
  }

  /**
   * The orientation after one more entry. An entry whose data lie past the end ends the directory.
   */
  private static int value(Bytes tiff, long entry, boolean bigEndian, int before)
      throws SampleRejectedException {
    Bytes fields = tiff.slice(entry, ENTRY_BYTES, "EXIF entry");
    int type = fields.u16(2, bigEndian);
    long bytes = fields.u32(4, bigEndian) * unitBytes(type);
    Bytes values =
        bytes > 4
            ? tiff.slice(fields.u32(8, bigEndian), bytes, "EXIF block")
            : fields.slice(8, bytes, "EXIF entry");
    if (bytes == 0 || fields.u16(0, bigEndian) != ORIENTATION_TAG) {
      return before;
    }
    // The first of several values counts.
    return switch (type) {
      case 6 -> values.u8(0); // signed byte
      case 3, 8 -> values.u16(0, bigEndian); // short
      case 4, 9, 13 -> (int) Math.min(values.u32(0, bigEndian), Integer.MAX_VALUE); // long
      default -> BROKEN; // text, bytes, fractions
    };
  }

  private static int unitBytes(int type) {
    return switch (type) {
      case 1, 2, 6, 7 -> 1;
      case 3, 8 -> 2;
      case 4, 9, 11, 13 -> 4;
      case 5, 10, 12, 16 -> 8;
      default -> 0;
    };
  }

  /** The first digit after {@code tiff:Orientation="} or {@code tiff:Orientation>}. */
  static int xmpOrientation(Bytes xmp) {
    for (int at = xmp.indexOf('t', 0); at >= 0; at = xmp.indexOf('t', at + 1L)) {
      if (!xmp.has(at, XMP_NAME)) {
        continue;
      }
      int after = at + XMP_NAME.length();
      int value = xmp.has(after, "=\"") ? after + 2 : xmp.has(after, ">") ? after + 1 : -1;
      if (value >= 0 && value < xmp.length()) {
        int digit = xmp.array()[xmp.from() + value] - '0';
        if (digit >= 0 && digit <= 9) {
          return digit;
        }
      }
    }
    return ABSENT;
  }
}
