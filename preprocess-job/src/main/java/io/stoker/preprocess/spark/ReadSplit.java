package io.stoker.preprocess.spark;

import io.stoker.preprocess.manifest.ManifestException;
import io.stoker.preprocess.manifest.ManifestLine;
import io.stoker.preprocess.manifest.ManifestReader;
import io.stoker.preprocess.spark.ManifestScan.ScannedSplit;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.function.PairFlatMapFunction;
import org.apache.spark.util.TaskCompletionListener;
import org.jspecify.annotations.Nullable;
import scala.Tuple2;

/**
 * Executor half of the second pass: the rows of a split under their shuffle keys, one at a time.
 */
final class ReadSplit implements PairFlatMapFunction<ScannedSplit, ShuffleKey, ManifestLine> {
  private static final long serialVersionUID = 1L;

  private final int maxLineBytes;
  private final long seed;
  private final long[] contentHashes;
  private final PartitionPlan partitions;

  /**
   * @param contentHashes of the manifests, by index
   * @param partitions which rows are wanted
   */
  ReadSplit(int maxLineBytes, long seed, long[] contentHashes, PartitionPlan partitions) {
    this.maxLineBytes = maxLineBytes;
    this.seed = seed;
    this.contentHashes = contentHashes.clone();
    this.partitions = partitions;
  }

  @Override
  public Iterator<Tuple2<ShuffleKey, ManifestLine>> call(ScannedSplit scanned) throws IOException {
    ManifestReader reader =
        ManifestReader.open(scanned.split(), maxLineBytes, HadoopConfiguration.get());
    TaskContext.get().addTaskCompletionListener((TaskCompletionListener) context -> close(reader));
    return new Rows(reader, scanned, seed, contentHashes[scanned.split().manifest()], partitions);
  }

  private static void close(ManifestReader reader) {
    try {
      reader.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Rows of partitions that are still to be done. */
  private static final class Rows implements Iterator<Tuple2<ShuffleKey, ManifestLine>> {
    private final ManifestReader reader;
    private final ScannedSplit scanned;
    private final long seed;
    private final long contentHash;
    private final PartitionPlan partitions;
    private @Nullable Tuple2<ShuffleKey, ManifestLine> next;

    Rows(
        ManifestReader reader,
        ScannedSplit scanned,
        long seed,
        long contentHash,
        PartitionPlan partitions)
        throws IOException {
      this.reader = reader;
      this.scanned = scanned;
      this.seed = seed;
      this.contentHash = contentHash;
      this.partitions = partitions;
      this.next = advance();
    }

    private @Nullable Tuple2<ShuffleKey, ManifestLine> advance() throws IOException {
      for (ManifestLine line = reader.next(); line != null; line = reader.next()) {
        long offset = line.provenance().offset();
        ShuffleKey key = ShuffleKey.of(seed, contentHash, scanned.split().manifest(), offset);
        if (partitions.isOpen(key)) {
          return new Tuple2<>(key, line);
        }
      }
      if (!reader.summary().equals(scanned.summary())) {
        throw new ManifestException(
            "manifest %s changed during the job: its content is not what the first pass read"
                .formatted(scanned.split().source().uri()));
      }
      return null;
    }

    @Override
    public boolean hasNext() {
      return next != null;
    }

    @Override
    public Tuple2<ShuffleKey, ManifestLine> next() {
      Tuple2<ShuffleKey, ManifestLine> row = next;
      if (row == null) {
        throw new NoSuchElementException();
      }
      try {
        next = advance();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return row;
    }
  }
}
