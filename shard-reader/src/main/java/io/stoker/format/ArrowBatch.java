package io.stoker.format;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.apache.arrow.flatbuf.Buffer;
import org.apache.arrow.flatbuf.FieldNode;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.flatbuf.MetadataVersion;
import org.apache.arrow.flatbuf.RecordBatch;

/**
 * The structure of one encapsulated record batch message, checked in full against a schema: after
 * {@link #parse} every buffer lies inside the message, does not overlap another, has exactly the
 * length its node demands, and all list and string offsets start at 0, never fall and end at the
 * length of their child. Immutable.
 */
public final class ArrowBatch {
  private final String name;
  private final ByteBuffer block;
  private final long rows;
  private final int[] starts;
  private final int[] lengths;

  private ArrowBatch(String name, ByteBuffer block, long rows, int[] starts, int[] lengths) {
    this.name = name;
    this.block = block;
    this.rows = rows;
    this.starts = starts;
    this.lengths = lengths;
  }

  /**
   * Checks one message.
   *
   * @param name the file and the place in it, for messages
   * @param message the bytes from the continuation marker to the end of the body, position to limit
   * @param fields the columns it must have
   * @throws ShardFormatException of kind corrupt, whatever the bytes are
   */
  public static ArrowBatch parse(String name, ByteBuffer message, List<ArrowField> fields)
      throws ShardFormatException {
    ByteBuffer block = message.slice().order(ByteOrder.LITTLE_ENDIAN);
    try {
      int bodyStart = metadataLength(name, block);
      Message header =
          Message.getRootAsMessage(
              block
                  .slice(ArrowFileEncoder.PREFIX_BYTES, bodyStart - ArrowFileEncoder.PREFIX_BYTES)
                  .order(ByteOrder.LITTLE_ENDIAN));
      RecordBatch batch = recordBatch(name, header, block.limit() - bodyStart);
      return new Parse(name, block, bodyStart, batch, fields).run();
    } catch (RuntimeException e) {
      // On damaged bytes the flatbuffer accessors throw any runtime exception.
      throw ShardFormatException.corrupt(name, "damaged message metadata", e);
    }
  }

  private static int metadataLength(String name, ByteBuffer block) throws ShardFormatException {
    if (block.limit() < ShardFormat.ALIGNMENT || block.limit() % ShardFormat.ALIGNMENT != 0) {
      throw ShardFormatException.mismatch(
          name, "message length", "a positive multiple of 64", block.limit());
    }
    if (block.getInt(0) != ArrowFileEncoder.CONTINUATION) {
      throw ShardFormatException.mismatch(
          name, "continuation marker", "ffffffff", Integer.toHexString(block.getInt(0)));
    }
    long end = (long) ArrowFileEncoder.PREFIX_BYTES + block.getInt(Integer.BYTES);
    if (end < ShardFormat.ALIGNMENT || end > block.limit() || end % ShardFormat.ALIGNMENT != 0) {
      throw ShardFormatException.mismatch(
          name, "end of metadata", "a multiple of 64 in [64, " + block.limit() + "]", end);
    }
    return (int) end;
  }

  private static RecordBatch recordBatch(String name, Message header, long bodyLength)
      throws ShardFormatException {
    if (header.version() != MetadataVersion.V5
        || header.headerType() != MessageHeader.RecordBatch) {
      throw ShardFormatException.corrupt(name, "not a record batch message of Arrow version 5");
    }
    if (header.bodyLength() != bodyLength) {
      throw ShardFormatException.mismatch(name, "body length", bodyLength, header.bodyLength());
    }
    RecordBatch batch = (RecordBatch) header.header(new RecordBatch());
    if (batch == null || batch.compression() != null || batch.variadicBufferCountsLength() != 0) {
      throw ShardFormatException.corrupt(name, "compressed or without a header");
    }
    return batch;
  }

  /** Rows of the batch. */
  public long rows() {
    return rows;
  }

  /** The file and the place in it, for messages. */
  String name() {
    return name;
  }

  /**
   * Where a buffer starts, in bytes from the start of the message.
   *
   * @param buffer index in depth-first order, validity buffers not counted
   */
  int start(int buffer) {
    return starts[buffer];
  }

  /** Bytes of a buffer, which are always whole elements. */
  int length(int buffer) {
    return lengths[buffer];
  }

  /** Element {@code index} of a buffer of 32-bit integers. */
  int intAt(int buffer, int index) {
    return block.getInt(starts[buffer] + index * Integer.BYTES);
  }

  /** Element {@code index} of a buffer of 64-bit integers. */
  long longAt(int buffer, int index) {
    return block.getLong(starts[buffer] + index * Long.BYTES);
  }

  /** A read-only, little-endian slice of a buffer: no copy. */
  public ByteBuffer slice(int buffer, int from, int count) {
    if (from < 0 || count < 0 || (long) from + count > lengths[buffer]) {
      throw new IndexOutOfBoundsException(
          "bytes " + from + " + " + count + " of a buffer of " + lengths[buffer]);
    }
    return block
        .slice(starts[buffer] + from, count)
        .asReadOnlyBuffer()
        .order(ByteOrder.LITTLE_ENDIAN);
  }

  /** One buffer as a whole, read-only and little-endian: no copy. */
  public ByteBuffer buffer(int buffer) {
    return slice(buffer, 0, lengths[buffer]);
  }

  /** One walk over the schema, depth first. */
  private static final class Parse {
    private final String name;
    private final ByteBuffer block;
    private final int bodyStart;
    private final RecordBatch batch;
    private final List<ArrowField> fields;
    private final int[] starts;
    private final int[] lengths;
    private int node;
    private int slot;
    private int buffer;
    private long bodyUsed;

    Parse(
        String name, ByteBuffer block, int bodyStart, RecordBatch batch, List<ArrowField> fields) {
      this.name = name;
      this.block = block;
      this.bodyStart = bodyStart;
      this.batch = batch;
      this.fields = fields;
      this.starts = new int[ArrowField.buffers(fields)];
      this.lengths = new int[starts.length];
    }

    ArrowBatch run() throws ShardFormatException {
      if (batch.length() < 0) {
        throw ShardFormatException.mismatch(name, "rows", "at least 0", batch.length());
      }
      int nodes = ArrowField.nodes(fields);
      check("nodes", nodes, batch.nodesLength());
      check("buffers", nodes + starts.length, batch.buffersLength());
      for (ArrowField field : fields) {
        visit(field, batch.length(), field.name());
      }
      return new ArrowBatch(name, block, batch.length(), starts, lengths);
    }

    private void visit(ArrowField field, long length, String path) throws ShardFormatException {
      FieldNode current = batch.nodes(node++);
      check("length of " + path, length, current.length());
      check("null count of " + path, 0, current.nullCount());
      place(path, 0);
      switch (field.kind()) {
        case PRIMITIVE -> keep(path, Math.multiplyExact(length, (long) field.elementBytes()));
        case UTF8 -> keep(path, offsets(path, length));
        case LIST -> visit(field.item(), offsets(path, length), path + "[]");
        case FIXED_SIZE_LIST ->
            visit(field.item(), Math.multiplyExact(length, (long) field.listSize()), path + "[]");
      }
    }

    /** Checks a buffer of offsets and returns the last one. */
    private long offsets(String path, long length) throws ShardFormatException {
      keep(path, Math.multiplyExact(Math.addExact(length, 1L), (long) Integer.BYTES));
      int start = starts[buffer - 1];
      int last = block.getInt(start);
      check("first offset of " + path, 0, last);
      for (int i = 1; i <= length; i++) {
        int next = block.getInt(start + i * Integer.BYTES);
        if (next < last) {
          throw ShardFormatException.mismatch(
              name, "offset " + i + " of " + path, "at least " + last, next);
        }
        last = next;
      }
      return last;
    }

    private void keep(String path, long bytes) throws ShardFormatException {
      starts[buffer] = place(path, bytes);
      lengths[buffer++] = (int) bytes;
    }

    /** Checks place and length of the next buffer; returns its start in the block. */
    private int place(String path, long bytes) throws ShardFormatException {
      Buffer entry = batch.buffers(slot++);
      long offset = entry.offset();
      check("buffer length of " + path, bytes, entry.length());
      long body = (long) block.limit() - bodyStart;
      if (bytes < 0
          || offset < bodyUsed
          || offset % ShardFormat.ALIGNMENT != 0
          || offset > body - bytes) {
        throw ShardFormatException.mismatch(
            name,
            "buffer offset of " + path,
            "a multiple of 64 in [" + bodyUsed + ", " + (body - bytes) + "]",
            offset);
      }
      bodyUsed = offset + bytes;
      return (int) (bodyStart + offset);
    }

    private void check(String what, long expected, long found) throws ShardFormatException {
      if (expected != found) {
        throw ShardFormatException.mismatch(name, what, expected, found);
      }
    }
  }
}
