package io.stoker.reader;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Batches and packs as plain arrays, for bindings to other languages: one call hands over all of
 * it, where each accessor of its own would be a crossing of the language border.
 */
public final class BatchView {
  private BatchView() {}

  /**
   * The next batch, or null after the last one.
   *
   * @return the {@link Batch}; {@code long[]} epoch, step, lane, packs; the {@link #of tensors} of
   *     all packs
   * @see RankReader#next
   */
  public static Object @Nullable [] next(RankReader reader) throws IOException {
    if (!reader.hasNext()) {
      return null;
    }
    Batch batch = reader.next();
    long[] place = {batch.epoch(), batch.step(), batch.lane(), batch.packs()};
    return new Object[] {batch, place, of(batch.tensors())};
  }

  /**
   * The tensors of a pack.
   *
   * @return {@code String[]} names; {@code String[]} element types; {@code long[]} the number of
   *     dimensions and the extents of each tensor in turn; {@code ByteBuffer[]} data, direct and
   *     read-only, which stays readable for as long as it is reachable
   */
  public static Object[] of(Pack pack) {
    return of(pack.tensors());
  }

  private static Object[] of(List<Tensor> tensors) {
    return new Object[] {
      tensors.stream().map(Tensor::name).toArray(String[]::new),
      tensors.stream().map(tensor -> tensor.type().dtype()).toArray(String[]::new),
      tensors.stream().flatMapToLong(BatchView::extents).toArray(),
      tensors.stream().map(tensor -> tensor.data().slice()).toArray(ByteBuffer[]::new)
    };
  }

  private static LongStream extents(Tensor tensor) {
    long[] shape = tensor.shape();
    return LongStream.concat(LongStream.of(shape.length), LongStream.of(shape));
  }
}
