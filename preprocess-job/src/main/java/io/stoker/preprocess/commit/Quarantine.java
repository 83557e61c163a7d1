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
 * The rejected rows beside a published dataset: each once, for they can be fed back. Whoever writes
 * the report removes what is not in it; who is beaten later than that removes its own. What neither
 * gets to, because it was killed, is an orphan.
 */
public final class Quarantine {
  private static final Logger LOG = LoggerFactory.getLogger(Quarantine.class);

  private final OutputStore store;

  public Quarantine(OutputStore store) {
    this.store = store;
  }

  /**
   * Removes what attempts that were killed or beaten have left. To be called after the report was
   * written, by this job or by another one: what that lists stays. Without it nothing is removed.
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
   * Removes the objects of a beaten job, unless the winner has yet to write its report: it will
   * remove what is not its own.
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
