package io.stoker.preprocess.commit;

import io.stoker.preprocess.shard.StagedShard;
import io.stoker.preprocess.store.CrashPoint;
import io.stoker.preprocess.store.OutputStore;
import io.stoker.preprocess.store.OutputStore.StoredObject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Durable records of finished partitions, one small object each under {@code _staging/<dataset
 * id>/}, so that a job which is submitted again does not do them again. The first attempt that
 * records a partition wins; a later attempt uses the first one's shards and removes its own.
 */
public final class StagingArea {
  private static final String ROOT = "_staging";
  private static final Pattern RECORD = Pattern.compile(ROOT + "/[^/]+/p[0-9]{6,}\\.json");
  private static final int READERS = 16;
  private static final Logger LOG = LoggerFactory.getLogger(StagingArea.class);

  private final OutputStore store;
  private final String datasetId;

  public StagingArea(OutputStore store, String datasetId) {
    this.store = store;
    this.datasetId = datasetId;
  }

  private String name(int partition) {
    return String.format(Locale.ROOT, "%s/%s/p%06d.json", ROOT, datasetId, partition);
  }

  /**
   * Leaves a sign that a job is at work, so that what earlier runs left does not look abandoned.
   *
   * @see OrphanFinder
   */
  public void begin(String jobId) throws IOException {
    store.replace("%s/%s/job-%s".formatted(ROOT, datasetId, jobId), new byte[0]);
  }

  /**
   * Records a partition.
   *
   * @return the record that counts: this one, or that of an earlier attempt
   */
  public StagedPartition record(StagedPartition partition) throws IOException {
    String name = name(partition.partition());
    CrashPoint.hit("before-record");
    if (store.createIfAbsent(name, StagingJson.write(partition))) {
      CrashPoint.hit("after-partition");
      return partition;
    }
    byte[] json = store.read(name);
    if (json == null) {
      // Another job has published and just cleared the area; our commit will find that out.
      return partition;
    }
    StagedPartition first = StagingJson.readPartition(store.uri(name), json);
    partition.shards().forEach(shard -> store.discard(shard.entry().name()));
    if (partition.rejects() != null) {
      store.discard(partition.rejects());
    }
    return first;
  }

  /**
   * The partitions that earlier attempts finished, by index. A record does not count, and is
   * removed, if its shards are not in the store as it says.
   */
  public Map<Integer, StagedPartition> finished() throws IOException {
    List<StoredObject> records =
        store.list(ROOT + "/" + datasetId).stream()
            .filter(object -> isRecord(object.name()))
            .toList();
    Map<Integer, StagedPartition> finished = new TreeMap<>();
    ExecutorService threads = Executors.newFixedThreadPool(READERS);
    try {
      List<Future<@Nullable StagedPartition>> running = new ArrayList<>();
      for (StoredObject record : records) {
        running.add(threads.submit(() -> read(record.name())));
      }
      for (Future<@Nullable StagedPartition> future : running) {
        StagedPartition partition = future.get();
        if (partition != null) {
          finished.put(partition.partition(), partition);
        }
      }
    } catch (ExecutionException e) {
      Throwable cause = Objects.requireNonNull(e.getCause());
      throw new IOException(
          "cannot read what an earlier run finished: " + cause.getMessage(), cause);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } finally {
      threads.shutdownNow();
    }
    return finished;
  }

  /** The partition of a record, or null when the record does not count. */
  private @Nullable StagedPartition read(String name) throws IOException {
    byte[] json = store.read(name);
    if (json == null) {
      return null;
    }
    StagedPartition partition;
    try {
      partition = StagingJson.readPartition(store.uri(name), json);
    } catch (IOException e) {
      // A host that went down may leave an empty file.
      LOG.warn("{}: the partition is done again", e.getMessage());
      store.delete(name);
      return null;
    }
    if (!isWhole(partition)) {
      LOG.warn("the objects of {} are not as it says: the partition is done again", name);
      store.delete(name);
      return null;
    }
    return partition;
  }

  private boolean isWhole(StagedPartition partition) throws IOException {
    for (StagedShard shard : partition.shards()) {
      if (store.length(shard.entry().name()) != shard.entry().bytes()) {
        return false;
      }
    }
    return partition.rejects() == null || store.length(partition.rejects()) >= 0;
  }

  /** Whether an object is the record of a finished partition. */
  static boolean isRecord(String name) {
    return RECORD.matcher(name).matches();
  }

  /** The dataset that an object of the staging area belongs to, or null if it is elsewhere. */
  static @Nullable String datasetOf(String name) {
    String[] parts = name.split("/", -1);
    return parts.length > 2 && parts[0].equals(ROOT) ? parts[1] : null;
  }

  /** Ids of other datasets of which partitions were finished at this place and not published. */
  public List<String> others() throws IOException {
    return store.list(ROOT).stream()
        .map(StoredObject::name)
        .filter(StagingArea::isRecord)
        .map(StagingArea::datasetOf)
        .flatMap(Stream::ofNullable)
        .filter(id -> !id.equals(datasetId))
        .distinct()
        .toList();
  }

  /** Removes the records of other datasets; their shards become orphans. */
  public void clearOthers() throws IOException {
    for (String other : others()) {
      store.deleteAll(ROOT + "/" + other);
    }
  }

  /** Removes the records of this dataset, after another job published first. */
  public void clearOwn() {
    clear(ROOT + "/" + datasetId);
  }

  /** Removes all records. Call it once the dataset is published and its report is written. */
  public void clear() {
    clear(ROOT);
  }

  /** What cannot be removed stays as an orphan; that is no reason to fail. */
  private void clear(String name) {
    try {
      store.deleteAll(name);
    } catch (IOException e) {
      LOG.warn("cannot remove {}, which nobody needs: {}", store.uri(name), e.toString());
    }
  }
}
