package io.stoker.preprocess.decode;

import io.stoker.preprocess.reject.SafeText;
import io.stoker.preprocess.reject.SampleRejectedException;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;

/**
 * The chunks of a PNG in file order, IEND included.
 *
 * <p>Every chunk must be whole and its checksum right. Pillow is laxer behind the image data, where
 * it does without IEND; but such a file was cut, and an orientation may have been lost with it.
 */
final class PngChunks {
  static final int SIGNATURE_BYTES = 8;
  static final String IHDR = "IHDR";
  static final String PLTE = "PLTE";
  static final String IDAT = "IDAT";
  static final String IEND = "IEND";

  private static final int LENGTH_AND_TYPE = 8;
  private static final int CRC_BYTES = 4;
  private static final int FRAME_BYTES = LENGTH_AND_TYPE + CRC_BYTES;

  /**
   * One chunk.
   *
   * @param type four letters
   * @param at offset of its length field in the file
   * @param body its data
   */
  record Chunk(String type, long at, Bytes body) {
    /** Bytes in the file: length, type, data and checksum. */
    int size() {
      return FRAME_BYTES + body.length();
    }
  }

  private PngChunks() {}

  static List<Chunk> parse(Bytes file) throws SampleRejectedException {
    List<Chunk> chunks = new ArrayList<>();
    long at = SIGNATURE_BYTES;
    boolean last = false;
    while (!last) {
      long length = file.u32(at, true);
      String type = file.tag(at + 4);
      if (!type.chars().allMatch(PngChunks::isNameCharacter)) {
        throw Reject.corrupt(
            "expected a PNG chunk at offset %d, found the name %s"
                .formatted(at, SafeText.ascii(type)));
      }
      Chunk chunk = new Chunk(type, at, file.slice(at + LENGTH_AND_TYPE, length, "PNG chunk"));
      checkCrc(file, chunk);
      chunks.add(chunk);
      last = type.equals(IEND);
      at += chunk.size();
    }
    return chunks;
  }

  private static void checkCrc(Bytes file, Chunk chunk) throws SampleRejectedException {
    Bytes body = chunk.body();
    long expected = file.u32(chunk.at() + LENGTH_AND_TYPE + body.length(), true);
    CRC32 crc = new CRC32();
    // The type, directly before the data, is part of what is summed.
    crc.update(body.array(), body.from() - 4, body.length() + 4);
    if (crc.getValue() != expected) {
      throw Reject.corrupt(
          "expected checksum %08x of the %s chunk at offset %d, found %08x"
              .formatted(expected, chunk.type(), chunk.at(), crc.getValue()));
    }
  }

  private static boolean isNameCharacter(int c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  }
}
