package io.stoker.format;

import java.nio.ByteBuffer;
import java.util.List;

/** Lengths and places of one batch to be written: the buffers one after the other, each aligned. */
final class BatchShape {
  private final ByteBuffer[] buffers;

  /** Length of each node, depth first. */
  final long[] nodes;

  /** Offset in the body of each buffer, validity buffers included. */
  final long[] offsets;

  /** Bytes of each buffer, validity buffers included: always 0 there. */
  final long[] lengths;

  /** Bytes of the body, as far as it is laid out. */
  long bodyLength;

  private int node;
  private int buffer;
  private int slot;

  /**
   * Lays a batch out.
   *
   * @param buffers all buffers of the fields, depth first, without the validity buffers
   * @throws IllegalArgumentException if the columns differ in length
   */
  BatchShape(List<ArrowField> fields, ByteBuffer[] buffers) {
    this.buffers = buffers;
    this.nodes = new long[ArrowField.nodes(fields)];
    this.offsets = new long[nodes.length + buffers.length];
    this.lengths = new long[nodes.length + buffers.length];
    for (ArrowField field : fields) {
      long rows = add(field);
      if (rows != nodes[0]) {
        throw new IllegalArgumentException(
            "column " + field.name() + ": expected " + nodes[0] + " rows, found " + rows);
      }
    }
  }

  /** Adds a field and all below it; returns the length of its node. */
  private long add(ArrowField field) {
    int at = node++;
    place(0);
    long length =
        switch (field.kind()) {
          case PRIMITIVE -> placeNext() / field.elementBytes();
          case UTF8 -> {
            long offsetBytes = placeNext();
            placeNext();
            yield offsetBytes / Integer.BYTES - 1;
          }
          case LIST -> {
            long offsetBytes = placeNext();
            add(field.item());
            yield offsetBytes / Integer.BYTES - 1;
          }
          case FIXED_SIZE_LIST -> add(field.item()) / field.listSize();
        };
    nodes[at] = length;
    return length;
  }

  private long placeNext() {
    return place(buffers[buffer++].remaining());
  }

  private long place(long bytes) {
    offsets[slot] = bodyLength;
    lengths[slot++] = bytes;
    bodyLength += ShardFormat.align(bytes);
    return bytes;
  }
}
