package io.stoker.preprocess.commit;

import io.stoker.index.Dataset;
import io.stoker.index.ShardEntry;
import io.stoker.preprocess.report.ReportFiles;
import io.stoker.preprocess.shard.Attempt;
import io.stoker.preprocess.store.OutputStore;
import io.stoker.preprocess.store.OutputStore.StoredObject;
import java.io.IOException;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds what killed or beaten jobs left at an output: objects under names that only Stoker writes,
 * to which neither the dataset nor its report refers. Young objects are left out, because they may
 * belong to a job that is running.
 */
public final class OrphanFinder {
  private final OutputStore store;

  public OrphanFinder(OutputStore store) {
    this.store = store;
  }

  /**
   * The orphans that were written before an instant.
   *
   * @throws IOException if the store cannot be listed or the dataset cannot be read
   */
  public List<StoredObject> olderThan(Instant limit) throws IOException {
    // List first and read the dataset after: what a job publishes in between is then referred to.
    List<StoredObject> all = store.list("");
    Set<String> referred = referred();
    referred.addAll(ofLiveJobs(all, limit));
    return all.stream()
        .filter(object -> isOurs(object.name()) && !referred.contains(object.name()))
        .filter(object -> object.modified().isBefore(limit))
        .toList();
  }

  /** The record, or null if it is damaged; then its partition is done again. */
  private static @Nullable StagedPartition parsed(String name, byte[] json) {
    try {
      return StagingJson.readPartition(name, json);
    } catch (IOException e) {
      return null;
    }
  }

  /**
   * Names that a running job may need. If any object in a dataset's staging area is young, a job
   * may be at work on it, and that job builds on what older runs finished. So all that the records
   * there refer to is kept, however old it is.
   */
  private Set<String> ofLiveJobs(List<StoredObject> all, Instant limit) throws IOException {
    Set<String> live = new HashSet<>();
    for (StoredObject object : all) {
      String dataset = StagingArea.datasetOf(object.name());
      if (dataset != null && !object.modified().isBefore(limit)) {
        live.add(dataset);
      }
    }
    Set<String> names = new HashSet<>();
    for (StoredObject object : all) {
      String dataset = StagingArea.datasetOf(object.name());
      if (dataset == null || !live.contains(dataset)) {
        continue;
      }
      names.add(object.name());
      byte[] json = StagingArea.isRecord(object.name()) ? store.read(object.name()) : null;
      StagedPartition partition = json == null ? null : parsed(object.name(), json);
      if (partition != null) {
        partition.shards().forEach(shard -> names.add(shard.entry().name()));
        if (partition.rejects() != null) {
          names.add(partition.rejects());
        }
      }
    }
    return names;
  }

  private static boolean isOurs(String name) {
    return Attempt.isShard(name)
        || Attempt.isRejects(name)
        || name.startsWith("_staging/")
        || name.startsWith(OutputStore.PROBE)
        || name.matches("blocks-[0-9a-f]+\\.arrow")
        // A temporary file that a killed process was about to link to its name.
        || name.matches(
            "\\.(dataset\\.json|report\\.json|report\\.html|_probe-[0-9a-f]+)\\.[0-9a-f-]{36}");
  }

  private Set<String> referred() throws IOException {
    Set<String> names = new HashSet<>();
    Dataset dataset = DatasetCommitter.published(store);
    if (dataset == null) {
      return names;
    }
    dataset.shards().stream().map(ShardEntry::name).forEach(names::add);
    names.add(dataset.blockTable().name());
    Set<String> rejects = new ReportFiles(store).rejects(dataset);
    if (rejects == null) {
      // Without a report it is unknown which rejected rows belong to the dataset: keep them all.
      store.list("rejects").forEach(object -> names.add(object.name()));
      return names;
    }
    names.addAll(rejects);
    return names;
  }
}
