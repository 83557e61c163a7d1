package io.stoker.preprocess.decode;

import io.stoker.preprocess.reject.SampleRejectedException;

/**
 * The part of a JPEG from its first scan to its end marker, walked without decoding.
 *
 * <p>OpenCV hands out whatever lines it has when libjpeg gives up behind a scan; Pillow raises. The
 * walk finds what libjpeg gives up on. It also bounds the work: each scan of a progressive file
 * passes over the whole picture, but may be a few bytes long.
 */
final class JpegScans {
  private static final int MAX_SCANS = 100;

  private static final int DHT = 0xC4;
  private static final int DAC = 0xCC;
  private static final int EOI = 0xD9;
  private static final int SOS = 0xDA;
  private static final int DQT = 0xDB;
  private static final int DNL = 0xDC;
  private static final int DRI = 0xDD;
  private static final int APP0 = 0xE0;
  private static final int APP15 = 0xEF;
  private static final int COM = 0xFE;

  private JpegScans() {}

  static void check(Bytes file) throws SampleRejectedException {
    long at = JpegHeader.firstScan(file);
    int scans = 0;
    int marker = SOS;
    while (marker != EOI) {
      boolean segment =
          switch (marker) {
            case SOS, DHT, DAC, DQT, DNL, DRI, COM -> true;
            default -> marker >= APP0 && marker <= APP15;
          };
      if (!segment && !JpegHeader.isBare(marker)) {
        throw Reject.corrupt(
            "expected JPEG data or its end at offset %d, found marker %02x".formatted(at, marker));
      }
      if (marker == SOS && ++scans > MAX_SCANS) {
        throw Reject.unsupported("expected at most %d JPEG scans".formatted(MAX_SCANS));
      }
      at = JpegHeader.nextMarker(file, at + 2 + (segment ? file.u16(at + 2, true) : 0));
      marker = file.u8(at + 1);
    }
  }
}
