package io.stoker.reader;

import io.stoker.format.ElementType;
import io.stoker.format.PixelLayout;
import io.stoker.format.ShardColumn;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;

/**
 * One tensor of a batch or a pack: memory outside the heap that the prefetcher has prepared, in
 * most cases the mapped shard itself. Thread-safe.
 *
 * <p>Lifetime: a buffer taken from {@link #data()} or a typed view of it stays readable for as long
 * as it is reachable, also after batch and reader are closed. An {@link #address()} stays valid for
 * as long as the tensor, its batch or any buffer of it is reachable; native code that keeps an
 * address must keep one of them, because the collector does not see the address.
 */
public final class Tensor {
  private final BatchLife life;
  private final ShardColumn column;
  private final ElementType type;
  private final long[] shape;
  private final ByteBuffer data;

  /**
   * Takes the data of a column.
   *
   * @param data read-only and little-endian, the whole buffer
   */
  Tensor(BatchLife life, ShardColumn column, ByteBuffer data, PixelLayout pixels) {
    this.life = life;
    this.column = column;
    this.type = column.type(pixels);
    this.data = data;
    this.shape = column.shape(data.limit() / column.entryBytes(pixels), pixels);
  }

  ShardColumn column() {
    return column;
  }

  /** The name of the model's argument. */
  public String name() {
    return column.columnName();
  }

  /** The element type. */
  public ElementType type() {
    return type;
  }

  /** The extents, slowest first; a copy. */
  public long[] shape() {
    return shape.clone();
  }

  /** Length in bytes: the product of the shape and the size of an element. */
  public long byteLength() {
    return data.limit();
  }

  /**
   * The elements in row-major order: a read-only, little-endian buffer from position 0 to its
   * limit, aligned to the element.
   *
   * @throws AlreadyClosedException if the batch is closed
   */
  public ByteBuffer data() {
    life.checkOpen();
    return data.duplicate().order(data.order());
  }

  /**
   * Address of the first of {@link #byteLength()} bytes, never to be written to.
   *
   * @throws AlreadyClosedException if the batch is closed
   * @throws UnsupportedOperationException if this JVM does not tell
   */
  public long address() {
    life.checkOpen();
    return NativeAddress.of(data);
  }

  /** Writes address, number of dimensions and extents as {@link BatchView} wants them. */
  void describe(long[] target, int at) {
    target[at] = NativeAddress.of(data);
    target[at + 1] = shape.length;
    System.arraycopy(shape, 0, target, at + 2, shape.length);
  }

  /**
   * The elements as 64-bit integers.
   *
   * @throws AlreadyClosedException if the batch is closed
   * @throws IllegalStateException if the type is another
   */
  public LongBuffer longs() {
    checkType(ElementType.INT64);
    return data().asLongBuffer();
  }

  /**
   * The elements as 32-bit integers.
   *
   * @throws AlreadyClosedException if the batch is closed
   * @throws IllegalStateException if the type is another
   */
  public IntBuffer ints() {
    checkType(ElementType.INT32);
    return data().asIntBuffer();
  }

  /**
   * The elements as 32-bit floats.
   *
   * @throws AlreadyClosedException if the batch is closed
   * @throws IllegalStateException if the type is another
   */
  public FloatBuffer floats() {
    checkType(ElementType.FLOAT32);
    return data().asFloatBuffer();
  }

  private void checkType(ElementType expected) {
    if (type != expected) {
      throw new IllegalStateException(
          name() + ": expected " + expected.dtype() + ", it is " + type.dtype());
    }
  }
}
