package io.stoker.preprocess.commit;

import io.stoker.index.Dataset;
import io.stoker.preprocess.report.ReportFiles;
import io.stoker.preprocess.shard.Attempt;
import io.stoker.preprocess.store.OutputStore;
import io.stoker.preprocess.store.OutputStore.StoredObject;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rejected rows beside a published dataset. Each row must be there once, because people feed
 * the rows back. The job that writes the report removes every object that the report does not list.
 * A job that is beaten after that removes its own objects. If a job is killed before it does so,
 * the objects stay as orphans.
 */
public final class Quarantine {
  private static final Logger LOG = LoggerFactory.getLogger(Quarantine.class);

  private final OutputStore store;

  public Quarantine(OutputStore store) {
    this.store = store;
  }

  /**
   * Removes what killed or beaten attempts have left. Call it after this job or another one has
   * written the report: what the report lists stays. Without a report nothing is removed.
   */
  public void tidy(Dataset dataset) {
    try {
      Set<String> kept = new ReportFiles(store).rejects(dataset);
      if (kept == null) {
        return;
      }
      for (StoredObject object : store.list("rejects")) {
        if (Attempt.isRejects(object.name()) && !kept.contains(object.name())) {
          store.discard(object.name());
        }
      }
    } catch (IOException e) {
      LOG.warn("cannot tidy up {}: {}", store.uri("rejects"), e.toString());
    }
  }

  /**
   * Removes the objects of a beaten job. If the winner has not written its report yet, it will
   * remove them itself.
   */
  void abandon(List<StagedPartition> partitions, Dataset winner) {
    try {
      Set<String> kept = new ReportFiles(store).rejects(winner);
      if (kept == null) {
        return;
      }
      for (StagedPartition partition : partitions) {
        String name = partition.rejects();
        if (name != null && !kept.contains(name)) {
          store.discard(name);
        }
      }
    } catch (IOException e) {
      LOG.warn("cannot tidy up {}: {}", store.uri("rejects"), e.toString());
    }
  }
}
