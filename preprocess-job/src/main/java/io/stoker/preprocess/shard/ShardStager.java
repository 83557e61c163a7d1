package io.stoker.preprocess.shard;

import io.stoker.format.PixelLayout;
import io.stoker.preprocess.measure.Stage;
import io.stoker.preprocess.measure.StageClock;
import io.stoker.preprocess.store.OutputStore;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;

/**
 * Writes the shards of one partition: fills a block while another thread encodes, checksums and
 * stores the block before. Closing it before {@link #finish} aborts the open uploads. Not
 * thread-safe.
 */
public final class ShardStager implements Closeable {
  private final ShardSettings settings;
  private final StageClock clock;
  private final Background writing = new Background("stoker-write");
  private final ShardSequence shards;
  private BlockBuilder block;
  private BlockBuilder spare;
  private BlockStats stats = BlockStats.NONE;

  /**
   * @param clock charged with filling blocks and with waiting for them to be stored
   */
  public ShardStager(
      OutputStore store,
      Attempt attempt,
      String datasetId,
      PixelLayout layout,
      ShardSettings settings,
      StageClock clock) {
    this.settings = settings;
    this.clock = clock;
    this.shards = new ShardSequence(store, attempt, datasetId, layout, settings);
    this.block = new BlockBuilder(layout);
    this.spare = new BlockBuilder(layout);
  }

  /** Where the segments of the next pack go. Ask again for every pack: the block changes. */
  public BlockBuilder block() {
    return block;
  }

  /**
   * Makes room for a pack: ends the block before it if that could not hold both.
   *
   * @param patches of all its images
   * @throws IOException if an earlier block cannot be stored
   */
  public void beginPack(long patches) throws IOException {
    if (block.packs() > 0 && !block.hasRoom(patches)) {
      endBlock();
    }
  }

  /**
   * Ends the pack whose segments were added to {@link #block}.
   *
   * @throws IOException if an earlier block cannot be stored
   */
  public void endPack() throws IOException {
    try (StageClock.Span span = clock.time(Stage.WRITE)) {
      block.endPack();
    }
    if (block.bytes() >= settings.blockBytes()) {
      endBlock();
    }
  }

  private void endBlock() throws IOException {
    BlockBuilder full = block;
    stats = stats.plus(full.stats());
    try (StageClock.Span span = clock.time(Stage.UPLOAD_WAIT)) {
      writing.start(
          () -> {
            shards.write(full);
            full.reset();
          });
    }
    // The block before has been written: the spare one is empty.
    block = spare;
    spare = full;
  }

  /**
   * Ends the last block and shard and returns all shards.
   *
   * @throws IOException if one of them cannot be stored
   */
  public List<StagedShard> finish() throws IOException {
    if (block.packs() > 0) {
      endBlock();
    }
    try (StageClock.Span span = clock.time(Stage.UPLOAD_WAIT)) {
      writing.await();
      return shards.finish();
    }
  }

  /**
   * Waits until nothing is being written, so that nothing but the task can harm its process.
   *
   * @throws IOException if an earlier block cannot be stored
   */
  public void settle() throws IOException {
    try (StageClock.Span span = clock.time(Stage.UPLOAD_WAIT)) {
      writing.await();
      shards.settle();
    }
  }

  /** What the ended blocks hold. */
  public BlockStats stats() {
    return stats;
  }

  /** Bytes of the shards in the store. */
  public long bytes() {
    return shards.bytes();
  }

  @Override
  public void close() throws IOException {
    writing.close();
    shards.close();
  }
}
