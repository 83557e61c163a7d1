package io.stoker.preprocess.fetch;

import io.stoker.store.Retries;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.conf.Configuration;

/**
 * Gets media objects in the background. One per executor, shared by its tasks; thread-safe. Every
 * request waits on a thread of its own, so the number of threads bounds the requests in flight; a
 * store that is busy gets fewer.
 */
public final class Fetcher implements AutoCloseable {
  private final FetchSettings settings;
  private final ExecutorService threads;
  private final Route s3a;
  private final Route hadoop;

  /** A store with the requests to it. */
  private record Route(ObjectStore store, Retries retries) {
    Route(ObjectStore store, int requests) {
      this(store, new Retries(requests, new FaultLog()::add));
    }
  }

  /**
   * @param cores tasks that run at the same time in this executor
   * @param configuration Hadoop's, with the user's store settings
   */
  public Fetcher(FetchSettings settings, int cores, Configuration configuration) {
    this(
        settings,
        cores,
        new S3aStore(configuration, settings.retry()),
        new HadoopStore(configuration));
  }

  Fetcher(FetchSettings settings, int cores, ObjectStore s3a, ObjectStore hadoop) {
    this.settings = settings;
    int requests = Math.multiplyExact(settings.concurrency(), cores);
    this.threads =
        Executors.newFixedThreadPool(
            requests,
            task -> {
              Thread thread = new Thread(task, "stoker-fetch");
              thread.setDaemon(true);
              return thread;
            });
    this.s3a = new Route(s3a, requests);
    this.hadoop = new Route(hadoop, requests);
  }

  /**
   * Starts to get an object.
   *
   * @return the bytes; fails with what {@link ObjectStore#get} throws
   */
  public Future<byte[]> fetch(MediaSource source) {
    if (source instanceof MediaSource.Inline inline) {
      return CompletableFuture.completedFuture(inline.bytes());
    }
    MediaSource.Stored stored = (MediaSource.Stored) source;
    Route route = stored.scheme().equals(Location.S3A) ? s3a : hadoop;
    return threads.submit(
        () ->
            route
                .retries()
                .call(
                    settings.retry(), () -> route.store().get(stored, settings.maxObjectBytes())));
  }

  /** Ends what is under way and cancels what waits for a thread, so that nobody waits on. */
  @Override
  public void close() {
    threads.shutdownNow().forEach(waiting -> ((Future<?>) waiting).cancel(false));
    s3a.store().close();
    hadoop.store().close();
  }
}
