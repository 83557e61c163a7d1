package io.stoker.format;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.flatbuf.Block;
import org.apache.arrow.flatbuf.Footer;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.MessageHeader;

/** Reads the frame of an aligned Arrow IPC file: its schema and where its batches are. */
public final class ArrowFileDecoder {
  /** The schema message of a file lies within this many bytes from its start. */
  public static final int HEAD_BYTES = 1 << 16;

  private static final long MAGIC = 0x000031574F525241L; // "ARROW1\0\0"
  private static final int MAGIC_BYTES = 8;
  // The footer's length and the magic without its padding.
  private static final int TAIL_BYTES = 10;
  private static final long TAIL_MASK = 0x0000FFFFFFFFFFFFL;

  /**
   * Where a batch is.
   *
   * @param offset first byte of its message in the file, a multiple of 64
   * @param length bytes of the message, a positive multiple of 64
   */
  public record BatchRange(long offset, long length) {}

  private ArrowFileDecoder() {}

  /**
   * Reads the schema message at the start of a file.
   *
   * @param name the file, for messages
   * @param head the first bytes of the file, at least {@link #HEAD_BYTES} or all of them, position
   *     to limit
   * @throws ShardFormatException of kind corrupt, whatever the bytes are
   */
  public static ArrowSchema schema(String name, ByteBuffer head) throws ShardFormatException {
    ByteBuffer bytes = head.slice().order(ByteOrder.LITTLE_ENDIAN);
    int start = MAGIC_BYTES + ArrowFileEncoder.PREFIX_BYTES;
    if (bytes.limit() < start || bytes.getLong(0) != MAGIC) {
      throw ShardFormatException.corrupt(name, "not an Arrow file: no magic at its start");
    }
    int length = bytes.getInt(start - Integer.BYTES);
    if (bytes.getInt(MAGIC_BYTES) != ArrowFileEncoder.CONTINUATION
        || length <= 0
        || length > bytes.limit() - start) {
      throw ShardFormatException.mismatch(
          name, "schema length", "in [1, " + (bytes.limit() - start) + "]", length);
    }
    try {
      Message message =
          Message.getRootAsMessage(bytes.slice(start, length).order(ByteOrder.LITTLE_ENDIAN));
      if (message.headerType() != MessageHeader.Schema) {
        throw ShardFormatException.corrupt(name, "the first message is not a schema");
      }
      return SchemaCodec.decode(
          name,
          (org.apache.arrow.flatbuf.Schema) message.header(new org.apache.arrow.flatbuf.Schema()));
    } catch (RuntimeException e) {
      // On damaged bytes the flatbuffer accessors throw any runtime exception.
      throw ShardFormatException.corrupt(name, "damaged schema message", e);
    }
  }

  /**
   * Reads the footer of a file.
   *
   * @param tail the last bytes of the file, its footer among them, position to limit
   * @param fileBytes length of the whole file
   * @return the batches in the order of the file; they lie in it and do not overlap
   * @throws ShardFormatException of kind corrupt, whatever the bytes are
   */
  public static List<BatchRange> batches(String name, ByteBuffer tail, long fileBytes)
      throws ShardFormatException {
    ByteBuffer bytes = tail.slice().order(ByteOrder.LITTLE_ENDIAN);
    int limit = bytes.limit();
    if (limit < TAIL_BYTES
        || ((bytes.getLong(limit - Long.BYTES) >>> Short.SIZE) & TAIL_MASK)
            != (MAGIC & TAIL_MASK)) {
      throw ShardFormatException.corrupt(name, "not an Arrow file: no magic at its end");
    }
    int length = bytes.getInt(limit - TAIL_BYTES);
    int end = limit - TAIL_BYTES;
    if (length <= 0 || length > end) {
      throw ShardFormatException.mismatch(name, "footer length", "in [1, " + end + "]", length);
    }
    try {
      Footer footer =
          Footer.getRootAsFooter(bytes.slice(end - length, length).order(ByteOrder.LITTLE_ENDIAN));
      return ranges(name, footer, fileBytes - TAIL_BYTES - length);
    } catch (RuntimeException e) {
      // On damaged bytes the flatbuffer accessors throw any runtime exception.
      throw ShardFormatException.corrupt(name, "damaged footer", e);
    }
  }

  private static List<BatchRange> ranges(String name, Footer footer, long end)
      throws ShardFormatException {
    if (footer.dictionariesLength() != 0) {
      throw ShardFormatException.corrupt(name, "the file has dictionaries");
    }
    List<BatchRange> ranges = new ArrayList<>();
    long used = MAGIC_BYTES;
    for (int i = 0; i < footer.recordBatchesLength(); i++) {
      Block block = footer.recordBatches(i);
      long offset = block.offset();
      long metadata = block.metaDataLength();
      long body = block.bodyLength();
      if (offset < used
          || offset % ShardFormat.ALIGNMENT != 0
          || metadata < ShardFormat.ALIGNMENT
          || body < 0
          || body > end
          || offset > end - metadata - body) {
        throw ShardFormatException.mismatch(
            name,
            "batch " + i + " of the footer",
            "a range in [" + used + ", " + end + ")",
            offset + " + " + metadata + " + " + body);
      }
      ranges.add(new BatchRange(offset, metadata + body));
      used = offset + metadata + body;
    }
    return ranges;
  }
}
