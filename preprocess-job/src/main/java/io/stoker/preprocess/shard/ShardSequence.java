package io.stoker.preprocess.shard;

import io.stoker.format.PixelLayout;
import io.stoker.index.BlockEntry;
import io.stoker.preprocess.store.CrashPoint;
import io.stoker.preprocess.store.OutputStore;
import io.stoker.preprocess.store.StagedFile;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The shards of one partition, one after the other: each ends at the configured length. While the
 * store takes the end of one and completes it, the next is being written. Closing it aborts what is
 * open. Not thread-safe, except for {@link #bytes}.
 */
final class ShardSequence implements Closeable {
  private final OutputStore store;
  private final Attempt attempt;
  private final String datasetId;
  private final PixelLayout layout;
  private final ShardSettings settings;
  private final Background publishing = new Background("stoker-publish");
  private final List<StagedShard> staged = new ArrayList<>();
  private volatile long bytes;
  private @Nullable OpenShard open;
  private @Nullable StagedFile ending;

  /** A shard under way. */
  private record OpenShard(
      String name, StagedFile file, ShardWriter writer, List<BlockEntry> blocks) {}

  ShardSequence(
      OutputStore store,
      Attempt attempt,
      String datasetId,
      PixelLayout layout,
      ShardSettings settings) {
    this.store = store;
    this.attempt = attempt;
    this.datasetId = datasetId;
    this.layout = layout;
    this.settings = settings;
  }

  /** Writes a block of complete packs, which can then be reset. */
  void write(BlockBuilder block) throws IOException {
    if (publishing.isIdle()) {
      // If the shard before failed, fail now: nothing that follows could be used.
      publishing.await();
    }
    OpenShard shard = open;
    if (shard != null && !shard.writer().fits(block)) {
      finishShard(shard);
      shard = null;
    }
    if (shard == null) {
      shard = openShard();
      open = shard;
    }
    shard.blocks().add(shard.writer().writeBlock(block));
    CrashPoint.hit("in-shard");
    if (shard.writer().position() >= settings.maxBytes()) {
      finishShard(shard);
    }
  }

  private OpenShard openShard() throws IOException {
    String name = attempt.shardName(staged.size());
    StagedFile file = store.stage(name);
    try {
      ShardWriter writer = new ShardWriter(file.stream(), datasetId, layout);
      return new OpenShard(name, file, writer, new ArrayList<>());
    } catch (IOException | RuntimeException e) {
      file.close();
      throw e;
    }
  }

  // One thread at a time publishes; the task reads.
  @SuppressWarnings("NonAtomicVolatileUpdate")
  private void finishShard(OpenShard shard) throws IOException {
    StagedShard finished = new StagedShard(shard.writer().finish(shard.name()), shard.blocks());
    // Only one at a time: its last parts are still held in memory or on disk.
    publishing.await();
    ending = shard.file();
    open = null;
    staged.add(finished);
    publishing.start(
        () -> {
          shard.file().publish();
          bytes += finished.entry().bytes();
          CrashPoint.hit("after-shard");
        });
  }

  /** Ends the last shard and returns all of them, which are in the store then. */
  List<StagedShard> finish() throws IOException {
    if (open != null) {
      finishShard(open);
    }
    settle();
    return List.copyOf(staged);
  }

  /** Waits until nothing is under way in the background. */
  void settle() throws IOException {
    publishing.await();
  }

  /** Bytes of the shards in the store. Any thread may ask. */
  long bytes() {
    return bytes;
  }

  @Override
  public void close() throws IOException {
    publishing.close();
    try (StagedFile second = open == null ? null : open.file();
        StagedFile first = ending) {
      // Closes both, whichever fails.
    } finally {
      open = null;
      ending = null;
    }
  }
}
