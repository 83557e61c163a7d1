package io.stoker.reader;

import io.stoker.plan.PlanSettings;
import io.stoker.plan.RankSpec;
import io.stoker.store.StoreOptions;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;

/** A rank in a process of its own: reads one epoch through a cache and prints what it got. */
final class CacheRank {
  private CacheRank() {}

  /** Arguments: endpoint, location, cache directory, quota. */
  public static void main(String[] args) throws IOException {
    ReaderOptions options =
        ReaderOptions.of(new PlanSettings(3, 1, 1))
            .withStore(Map.of(StoreOptions.S3_ENDPOINT, args[0]))
            .withCache(ReaderOptions.Cache.of(Path.of(args[2]), Long.parseLong(args[3])));
    try (RankReader reader = RankReader.open(URI.create(args[1]), new RankSpec(0, 1), options)) {
      while (reader.hasNext()) {
        try (Batch batch = reader.next()) {
          System.out.println(String.join(",", batch.sampleIds()));
        }
      }
    }
  }
}
