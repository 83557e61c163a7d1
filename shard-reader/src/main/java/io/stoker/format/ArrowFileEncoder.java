package io.stoker.format;

import com.google.flatbuffers.FlatBufferBuilder;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.apache.arrow.flatbuf.Block;
import org.apache.arrow.flatbuf.Buffer;
import org.apache.arrow.flatbuf.FieldNode;
import org.apache.arrow.flatbuf.Footer;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.flatbuf.MetadataVersion;
import org.apache.arrow.flatbuf.RecordBatch;

/**
 * Writes an Arrow IPC file whose every message, body and buffer starts at a multiple of {@link
 * ShardFormat#ALIGNMENT}, as one forward stream. The stock Arrow writers align to 8 bytes only.
 *
 * <p>Holds no batch: memory is bounded by the footer, 24 bytes per batch. Never closes the stream,
 * so that the owner can abort an upload. Same calls, same bytes. Not thread-safe; after an
 * exception the file is unusable.
 */
public final class ArrowFileEncoder {
  static final int PREFIX_BYTES = 8;
  static final int CONTINUATION = 0xFFFFFFFF;
  private static final byte[] MAGIC = "ARROW1".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] ZEROS = new byte[ShardFormat.ALIGNMENT];

  /**
   * One batch as written: an encapsulated message, its 8-byte prefix and its body included.
   *
   * @param offset first byte in the file, a multiple of 64
   * @param length bytes, a multiple of 64
   * @param crc32c CRC-32C over exactly these bytes, in [0, 2^32)
   */
  public record WrittenBatch(long offset, long length, long crc32c) {}

  private record FooterBlock(long offset, int metadataLength, long bodyLength) {}

  private final OutputStream out;
  private final ArrowSchema schema;
  private final CRC32C fileCrc = new CRC32C();
  private final CRC32C batchCrc = new CRC32C();
  private final List<FooterBlock> blocks = new ArrayList<>();
  private long position;
  private boolean finished;

  /** Writes the magic and the schema message. */
  public ArrowFileEncoder(OutputStream out, ArrowSchema schema) throws IOException {
    this.out = out;
    this.schema = schema;
    write(MAGIC, 0, MAGIC.length);
    write(ZEROS, 0, PREFIX_BYTES - MAGIC.length);
    FlatBufferBuilder builder = new FlatBufferBuilder();
    int header = SchemaCodec.encode(builder, schema);
    Message.finishMessageBuffer(
        builder,
        Message.createMessage(builder, MetadataVersion.V5, MessageHeader.Schema, header, 0, 0));
    writeMetadata(builder);
  }

  /** Bytes written so far: where the next batch starts. */
  public long position() {
    return position;
  }

  /** CRC-32C over all bytes written so far, in [0, 2^32). */
  public long crc32c() {
    return fileCrc.getValue();
  }

  /**
   * Writes one batch.
   *
   * @param buffers the array-backed contents, position to limit, of all buffers of the schema in
   *     depth-first order without the validity buffers; lengths of nodes follow from them
   * @throws IllegalArgumentException if their number does not fit the schema
   */
  public WrittenBatch writeBatch(ByteBuffer... buffers) throws IOException {
    checkOpen();
    int expected = ArrowField.buffers(schema.fields());
    if (buffers.length != expected) {
      throw new IllegalArgumentException(
          "expected " + expected + " buffers, found " + buffers.length);
    }
    BatchShape shape = new BatchShape(schema.fields(), buffers);
    long offset = position;
    batchCrc.reset();
    int metadataLength = writeMetadata(batchMessage(shape));
    for (ByteBuffer buffer : buffers) {
      write(buffer.array(), buffer.arrayOffset() + buffer.position(), buffer.remaining());
      pad();
    }
    blocks.add(new FooterBlock(offset, metadataLength, shape.bodyLength));
    return new WrittenBatch(offset, position - offset, batchCrc.getValue());
  }

  /** Writes the footer; the file is complete. */
  public void finish() throws IOException {
    checkOpen();
    finished = true;
    writeInts(CONTINUATION, 0);
    FlatBufferBuilder builder = new FlatBufferBuilder();
    int header = SchemaCodec.encode(builder, schema);
    Footer.startDictionariesVector(builder, 0);
    int dictionaries = builder.endVector();
    Footer.startRecordBatchesVector(builder, blocks.size());
    for (int i = blocks.size() - 1; i >= 0; i--) {
      FooterBlock block = blocks.get(i);
      Block.createBlock(builder, block.offset, block.metadataLength, block.bodyLength);
    }
    int batches = builder.endVector();
    Footer.finishFooterBuffer(
        builder,
        Footer.createFooter(builder, MetadataVersion.V5, header, dictionaries, batches, 0));
    byte[] footer = builder.sizedByteArray();
    write(footer, 0, footer.length);
    writeInts(footer.length);
    write(MAGIC, 0, MAGIC.length);
  }

  private static FlatBufferBuilder batchMessage(BatchShape shape) {
    FlatBufferBuilder builder = new FlatBufferBuilder();
    RecordBatch.startNodesVector(builder, shape.nodes.length);
    for (int i = shape.nodes.length - 1; i >= 0; i--) {
      FieldNode.createFieldNode(builder, shape.nodes[i], 0);
    }
    int nodes = builder.endVector();
    RecordBatch.startBuffersVector(builder, shape.offsets.length);
    for (int i = shape.offsets.length - 1; i >= 0; i--) {
      Buffer.createBuffer(builder, shape.offsets[i], shape.lengths[i]);
    }
    int buffers = builder.endVector();
    RecordBatch.startRecordBatch(builder);
    RecordBatch.addLength(builder, shape.nodes[0]);
    RecordBatch.addNodes(builder, nodes);
    RecordBatch.addBuffers(builder, buffers);
    int header = RecordBatch.endRecordBatch(builder);
    Message.finishMessageBuffer(
        builder,
        Message.createMessage(
            builder, MetadataVersion.V5, MessageHeader.RecordBatch, header, shape.bodyLength, 0));
    return builder;
  }

  /** Writes prefix, flatbuffer and padding; returns the length of all three. */
  private int writeMetadata(FlatBufferBuilder builder) throws IOException {
    byte[] metadata = builder.sizedByteArray();
    long start = position;
    long end = ShardFormat.align(start + PREFIX_BYTES + metadata.length);
    writeInts(CONTINUATION, (int) (end - start - PREFIX_BYTES));
    write(metadata, 0, metadata.length);
    pad();
    return (int) (end - start);
  }

  private void pad() throws IOException {
    write(ZEROS, 0, (int) (ShardFormat.align(position) - position));
  }

  private void writeInts(int... values) throws IOException {
    ByteBuffer bytes =
        ByteBuffer.allocate(values.length * Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    for (int value : values) {
      bytes.putInt(value);
    }
    write(bytes.array(), 0, bytes.capacity());
  }

  private void write(byte[] bytes, int from, int count) throws IOException {
    out.write(bytes, from, count);
    batchCrc.update(bytes, from, count);
    fileCrc.update(bytes, from, count);
    position += count;
  }

  private void checkOpen() {
    if (finished) {
      throw new IllegalStateException("the file is already finished");
    }
  }
}
