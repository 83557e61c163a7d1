package io.stoker.preprocess.bench.ladder;

import io.stoker.plan.PlanSettings;
import io.stoker.plan.RankSpec;
import io.stoker.reader.Batch;
import io.stoker.reader.RankReader;
import io.stoker.reader.ReaderOptions;
import java.io.IOException;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/** Rungs 4 and 5: finished samples from Stoker's shards; the step maps what a job made before. */
final class ShardFeed implements Feed {
  private final RankReader reader;
  private @Nullable Batch batch;

  ShardFeed(URI dataset, int rank, int ranks, int epochs) throws IOException {
    PlanSettings plan = new PlanSettings(1, ranks, 1);
    this.reader =
        RankReader.open(
            dataset, new RankSpec(rank, ranks), ReaderOptions.of(plan).withEpochs(epochs));
  }

  @Override
  public int next() throws IOException {
    giveBack();
    Batch next = reader.next();
    batch = next;
    return next.sampleIds().size();
  }

  private void giveBack() {
    if (batch != null) {
      batch.close();
      batch = null;
    }
  }

  @Override
  public void close() {
    giveBack();
    reader.close();
  }
}
