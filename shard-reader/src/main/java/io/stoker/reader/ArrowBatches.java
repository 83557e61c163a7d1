package io.stoker.reader;

import io.stoker.format.ElementType;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.ForeignAllocation;
import org.apache.arrow.vector.VectorLoader;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * Gives batches to callers who work with Arrow's own Java vectors. The only class that needs
 * arrow-vector and an implementation of arrow-memory, which the caller brings.
 */
public final class ArrowBatches {
  private static final String ITEM = "item";

  private ArrowBatches() {}

  /**
   * The tensors of a batch as one row of a {@link VectorSchemaRoot}: all packs of the micro-batch
   * as one longer pack, each tensor a list (of fixed-size lists for {@code pixel_values} and {@code
   * image_grid_thw}), in the columns of the shard format without {@code sample_ids}. bfloat16 is
   * uint16.
   *
   * <p>The values are the memory of the batch, not a copy; they must not be written to. The root
   * keeps them alive until it is closed, also after the batch is closed. Arrow's Java vectors
   * demand validity buffers, which are allocated here: a bit per value.
   *
   * @throws AlreadyClosedException if the batch is closed
   */
  public static VectorSchemaRoot toRoot(Batch batch, BufferAllocator allocator) {
    List<Field> fields = new ArrayList<>();
    List<ArrowFieldNode> nodes = new ArrayList<>();
    List<ArrowBuf> buffers = new ArrayList<>();
    try {
      for (Tensor tensor : batch.tensors()) {
        add(tensor, allocator, fields, nodes, buffers);
      }
      VectorSchemaRoot root = VectorSchemaRoot.create(new Schema(fields), allocator);
      try (ArrowRecordBatch record = new ArrowRecordBatch(1, nodes, buffers)) {
        new VectorLoader(root).load(record);
        return root;
      } catch (RuntimeException e) {
        root.close();
        throw e;
      }
    } finally {
      // The record and the vectors hold them now.
      buffers.forEach(ArrowBuf::close);
    }
  }

  private static void add(
      Tensor tensor,
      BufferAllocator allocator,
      List<Field> fields,
      List<ArrowFieldNode> nodes,
      List<ArrowBuf> buffers) {
    long[] shape = tensor.shape();
    long values = tensor.byteLength() / tensor.type().bytes();
    boolean rows = tensor.column().hasRows();
    long items = rows ? shape[0] : values;
    Field value = field(ITEM, type(tensor.type()), List.of());
    Field item =
        rows ? field(ITEM, new ArrowType.FixedSizeList((int) shape[1]), List.of(value)) : value;
    fields.add(field(tensor.name(), ArrowType.List.INSTANCE, List.of(item)));
    nodes.add(new ArrowFieldNode(1, 0));
    buffers.add(allocator.getEmpty());
    ArrowBuf offsets = allocator.buffer(2L * Integer.BYTES);
    offsets.writeInt(0);
    offsets.writeInt(Math.toIntExact(items));
    buffers.add(offsets);
    if (rows) {
      nodes.add(new ArrowFieldNode(items, 0));
      buffers.add(allocator.getEmpty());
    }
    nodes.add(new ArrowFieldNode(values, 0));
    buffers.add(allocator.getEmpty());
    buffers.add(allocator.wrapForeignAllocation(new Memory(tensor)));
  }

  private static Field field(String name, ArrowType type, List<Field> children) {
    return new Field(name, new FieldType(false, type, null, Map.of()), children);
  }

  private static ArrowType type(ElementType type) {
    return switch (type) {
      case UINT8 -> new ArrowType.Int(8, false);
      case BFLOAT16 -> new ArrowType.Int(16, false);
      case FLOAT32 -> new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE);
      case INT32 -> new ArrowType.Int(32, true);
      case INT64 -> new ArrowType.Int(64, true);
    };
  }

  /** Memory of a tensor: reachable until Arrow releases it, and then left to the collector. */
  private static final class Memory extends ForeignAllocation {
    @SuppressWarnings("UnusedVariable") // Held, not read.
    private ByteBuffer held;

    Memory(Tensor tensor) {
      super(tensor.byteLength(), tensor.address());
      this.held = tensor.data();
    }

    @Override
    protected void release0() {
      held = ByteBuffer.allocate(0);
    }
  }
}
