package io.stoker.preprocess.fetch;

import io.stoker.preprocess.reject.SampleRejectedException;
import io.stoker.preprocess.sample.ParsedLine;
import io.stoker.preprocess.sample.Rejection;
import io.stoker.preprocess.sample.Sample;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

/**
 * A task's sliding window over its lines: the media of the next samples are in flight while the
 * task works on the first. Lines come out in the order in which they went in. The window is full
 * when it holds enough samples, or when enough bytes have arrived. Not thread-safe.
 */
public final class FetchWindow implements AutoCloseable {
  private final MediaResolver resolver;
  private final Fetcher fetcher;
  private final FetchSettings settings;
  private final Deque<Entry> entries = new ArrayDeque<>();

  /**
   * A line that leaves the window.
   *
   * @param line a sample whose media are here, or a rejection
   * @param media encoded bytes, one per image in reading order
   */
  public record Fetched(ParsedLine line, List<byte[]> media) {
    public Fetched {
      media = List.copyOf(media);
    }
  }

  private record Entry(ParsedLine line, List<Future<byte[]>> media) {
    long arrivedBytes() {
      long bytes = 0;
      for (Future<byte[]> future : media) {
        if (future.isDone() && !future.isCancelled()) {
          try {
            bytes += future.get().length;
          } catch (ExecutionException | InterruptedException e) {
            // The failure surfaces when this line is taken.
            continue;
          }
        }
      }
      return bytes;
    }

    void cancel() {
      media.forEach(future -> future.cancel(true));
    }
  }

  public FetchWindow(MediaResolver resolver, Fetcher fetcher, FetchSettings settings) {
    this.resolver = resolver;
    this.fetcher = fetcher;
    this.settings = settings;
  }

  /** Whether another line may be added before one is taken. */
  public boolean hasRoom() {
    if (entries.size() >= settings.window()) {
      return false;
    }
    long bytes = 0;
    for (Entry entry : entries) {
      bytes += entry.arrivedBytes();
    }
    return bytes < settings.windowBytes();
  }

  /** Whether there is no line to take. */
  public boolean isEmpty() {
    return entries.isEmpty();
  }

  /** Adds a line behind the others, and starts the requests for its media. */
  public void add(ParsedLine line) {
    entries.addLast(new Entry(line, line instanceof Sample sample ? request(sample) : List.of()));
  }

  /** Asks for all media of a sample, or for none if one of them is refused. */
  private List<Future<byte[]>> request(Sample sample) {
    try {
      List<MediaSource> sources = new ArrayList<>();
      String manifest = sample.line().provenance().manifest();
      if (sample.fedBack() && !sample.images().isEmpty()) {
        resolver.checkOrigin(manifest);
      }
      for (String reference : sample.images()) {
        sources.add(resolver.resolve(reference, manifest));
      }
      return sources.stream().map(fetcher::fetch).toList();
    } catch (SampleRejectedException e) {
      return List.of(CompletableFuture.failedFuture(e));
    }
  }

  /**
   * Takes the first line of the window, and waits for its media.
   *
   * @throws IOException if the store cannot answer
   */
  public Fetched take() throws IOException, InterruptedException {
    Entry entry = entries.removeFirst();
    if (!(entry.line() instanceof Sample sample)) {
      return new Fetched(entry.line(), List.of());
    }
    List<byte[]> media = new ArrayList<>();
    try {
      for (Future<byte[]> future : entry.media()) {
        media.add(future.get());
      }
      return new Fetched(sample, media);
    } catch (ExecutionException e) {
      Throwable cause = Objects.requireNonNull(e.getCause());
      if (cause instanceof SampleRejectedException refusal) {
        return new Fetched(Rejection.of(refusal, sample.line()), List.of());
      }
      throw new IOException(
          "%s: %s".formatted(sample.line().provenance(), cause.getMessage()), cause);
    } finally {
      // What has arrived stays; after a failure or an interruption nobody waits for the rest.
      entry.cancel();
    }
  }

  /** Cancels what is in flight. */
  @Override
  public void close() {
    entries.forEach(Entry::cancel);
    entries.clear();
  }
}
