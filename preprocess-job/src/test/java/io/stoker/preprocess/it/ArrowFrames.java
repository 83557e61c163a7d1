package io.stoker.preprocess.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.flatbuf.Block;
import org.apache.arrow.flatbuf.Buffer;
import org.apache.arrow.flatbuf.Footer;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.RecordBatch;

/** Looks at an Arrow file with nothing but the flatbuffers of Arrow's own format definition. */
final class ArrowFrames {
  private static final int ALIGNMENT = 64;
  private static final int TAIL_BYTES = 10;
  private static final int PREFIX_BYTES = 8;

  private ArrowFrames() {}

  /** A batch in a file: its message, prefix and body included. */
  record Batch(long offset, long length) {}

  /**
   * Checks that every batch, body and buffer starts at a multiple of 64, in order and inside its
   * batch.
   *
   * @return the batches of the footer
   */
  static List<Batch> assertAligned(byte[] file) {
    ByteBuffer bytes = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
    int footerEnd = file.length - TAIL_BYTES;
    Footer footer = Footer.getRootAsFooter(at(bytes, footerEnd - bytes.getInt(footerEnd)));
    assertEquals(0, footer.dictionariesLength());
    List<Batch> batches = new ArrayList<>();
    for (int i = 0; i < footer.recordBatchesLength(); i++) {
      Block block = footer.recordBatches(i);
      assertEquals(0, block.offset() % ALIGNMENT);
      assertEquals(0xFFFFFFFF, bytes.getInt((int) block.offset()));
      assertEquals(
          block.metaDataLength() - PREFIX_BYTES,
          bytes.getInt((int) block.offset() + Integer.BYTES));
      long body = block.offset() + block.metaDataLength();
      assertEquals(0, body % ALIGNMENT);
      assertEquals(0, block.bodyLength() % ALIGNMENT);
      Message message = Message.getRootAsMessage(at(bytes, (int) block.offset() + PREFIX_BYTES));
      assertEquals(block.bodyLength(), message.bodyLength());
      assertBuffersAligned((RecordBatch) message.header(new RecordBatch()), body, block);
      batches.add(new Batch(block.offset(), block.metaDataLength() + block.bodyLength()));
    }
    return batches;
  }

  private static void assertBuffersAligned(RecordBatch batch, long body, Block block) {
    assertTrue(batch.buffersLength() > 0);
    assertEquals(null, batch.compression());
    long used = 0;
    for (int i = 0; i < batch.buffersLength(); i++) {
      Buffer buffer = batch.buffers(i);
      assertEquals(0, (body + buffer.offset()) % ALIGNMENT, "buffer " + i);
      assertTrue(buffer.offset() >= used, "buffer " + i);
      used = buffer.offset() + buffer.length();
    }
    assertTrue(used <= block.bodyLength());
  }

  private static ByteBuffer at(ByteBuffer bytes, int position) {
    return bytes.duplicate().order(ByteOrder.LITTLE_ENDIAN).position(position);
  }
}
