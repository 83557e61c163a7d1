package io.stoker.preprocess.commit;

import io.stoker.format.PixelLayout;
import io.stoker.index.BlockEntry;
import io.stoker.preprocess.shard.BlockBuilder;
import io.stoker.preprocess.shard.BlockStats;
import io.stoker.preprocess.shard.ShardWriter;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes the shards of one partition: fills blocks, ends them and their shards at the configured
 * lengths, streams them to the store. Closing it before {@link #finish} aborts the open upload. Not
 * thread-safe.
 */
public final class ShardStager implements Closeable {
  private final OutputStore store;
  private final Attempt attempt;
  private final String datasetId;
  private final ShardSettings settings;
  private final StageClock clock;
  private final BlockBuilder block;
  private final List<StagedShard> staged = new ArrayList<>();
  private BlockStats stats = BlockStats.NONE;
  private long bytes;
  private @Nullable OpenShard open;

  /** A shard under way. */
  private record OpenShard(
      String name, StagedFile file, ShardWriter writer, List<BlockEntry> blocks) {}

  /**
   * @param clock charged with writing and with waiting for the store
   */
  public ShardStager(
      OutputStore store,
      Attempt attempt,
      String datasetId,
      PixelLayout layout,
      ShardSettings settings,
      StageClock clock) {
    this.store = store;
    this.attempt = attempt;
    this.datasetId = datasetId;
    this.settings = settings;
    this.clock = clock;
    this.block = new BlockBuilder(layout);
  }

  /** Where the segments of the next pack go. */
  public BlockBuilder block() {
    return block;
  }

  /**
   * Makes room for a pack: ends the block before it if that could not hold both.
   *
   * @param patches of all its images
   */
  public void beginPack(long patches) throws IOException {
    if (block.packs() > 0 && !block.hasRoom(patches)) {
      clock.<@Nullable Void, IOException, RuntimeException>time(
          Stage.WRITE,
          () -> {
            writeBlock();
            return null;
          });
    }
  }

  /** Ends the pack whose segments were added to {@link #block}. */
  public void endPack() throws IOException {
    clock.<@Nullable Void, IOException, RuntimeException>time(
        Stage.WRITE,
        () -> {
          block.endPack();
          if (block.bytes() >= settings.blockBytes()) {
            writeBlock();
          }
          return null;
        });
  }

  private void writeBlock() throws IOException {
    OpenShard shard = open;
    if (shard != null && !shard.writer().fits(block)) {
      finishShard(shard);
      shard = null;
    }
    if (shard == null) {
      shard = openShard();
      open = shard;
    }
    stats = stats.plus(block.stats());
    shard.blocks().add(shard.writer().writeBlock(block));
    block.reset();
    CrashPoint.hit("in-shard");
    if (shard.writer().position() >= settings.maxBytes()) {
      finishShard(shard);
    }
  }

  private OpenShard openShard() throws IOException {
    String name = attempt.shardName(staged.size());
    StagedFile file = store.stage(name);
    try {
      ShardWriter writer =
          new ShardWriter(new TimedOutputStream(file.stream(), clock), datasetId, block.layout());
      return new OpenShard(name, file, writer, new ArrayList<>());
    } catch (IOException | RuntimeException e) {
      file.close();
      throw e;
    }
  }

  private void finishShard(OpenShard shard) throws IOException {
    StagedShard finished = new StagedShard(shard.writer().finish(shard.name()), shard.blocks());
    clock.<@Nullable Void, IOException, RuntimeException>time(
        Stage.UPLOAD_WAIT,
        () -> {
          shard.file().publish();
          return null;
        });
    open = null;
    bytes += finished.entry().bytes();
    staged.add(finished);
    CrashPoint.hit("after-shard");
  }

  /** Ends the last block and shard and returns all shards. */
  public List<StagedShard> finish() throws IOException {
    return clock.<List<StagedShard>, IOException, RuntimeException>time(
        Stage.WRITE,
        () -> {
          if (block.packs() > 0) {
            writeBlock();
          }
          if (open != null) {
            finishShard(open);
          }
          return List.copyOf(staged);
        });
  }

  /** What the blocks written so far hold. */
  public BlockStats stats() {
    return stats;
  }

  /** Bytes of the finished shards. */
  public long bytes() {
    return bytes;
  }

  @Override
  public void close() throws IOException {
    OpenShard shard = open;
    open = null;
    if (shard != null) {
      shard.file().close();
    }
  }
}
