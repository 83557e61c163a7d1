package io.stoker.preprocess.fetch;

import io.stoker.preprocess.manifest.ManifestLine;
import io.stoker.preprocess.reject.SampleRejectedException;
import io.stoker.preprocess.sample.ParsedLine;
import io.stoker.preprocess.sample.Rejection;
import io.stoker.preprocess.sample.Sample;
import io.stoker.preprocess.sample.SampleParser;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

/**
 * A task's sliding window over its lines: the media of the next samples are in flight while the
 * task works on the first. Lines come out in the order in which they went in. Bounded by samples
 * and by bytes that have arrived. Not thread-safe.
 */
public final class FetchWindow implements AutoCloseable {
  private final Iterator<ManifestLine> lines;
  private final SampleParser parser;
  private final MediaResolver resolver;
  private final Fetcher fetcher;
  private final FetchSettings settings;
  private final Deque<Entry> entries = new ArrayDeque<>();

  private record Entry(ParsedLine line, List<Future<byte[]>> media) {
    long arrivedBytes() {
      long bytes = 0;
      for (Future<byte[]> future : media) {
        if (future.isDone() && !future.isCancelled()) {
          try {
            bytes += future.get().length;
          } catch (ExecutionException | InterruptedException e) {
            // Surfaces when this line is taken.
            continue;
          }
        }
      }
      return bytes;
    }
  }

  public FetchWindow(
      Iterator<ManifestLine> lines,
      SampleParser parser,
      MediaResolver resolver,
      Fetcher fetcher,
      FetchSettings settings) {
    this.lines = lines;
    this.parser = parser;
    this.resolver = resolver;
    this.fetcher = fetcher;
    this.settings = settings;
  }

  /**
   * Parses lines and starts requests until the window is full.
   *
   * @return whether there is a line to take
   */
  public boolean fill() {
    while (lines.hasNext() && entries.size() < settings.window() && hasRoom()) {
      entries.addLast(start(lines.next()));
    }
    return !entries.isEmpty();
  }

  private boolean hasRoom() {
    long bytes = 0;
    for (Entry entry : entries) {
      bytes += entry.arrivedBytes();
    }
    return bytes < settings.windowBytes();
  }

  private Entry start(ManifestLine line) {
    ParsedLine parsed = parser.parse(line);
    if (!(parsed instanceof Sample sample)) {
      return new Entry(parsed, List.of());
    }
    try {
      List<MediaSource> sources = new ArrayList<>();
      String manifest = sample.line().provenance().manifest();
      // Another line than this one: a rejected row that is fed back.
      if (!sample.line().equals(line) && !sample.images().isEmpty()) {
        resolver.checkOrigin(manifest);
      }
      for (String reference : sample.images()) {
        sources.add(resolver.resolve(reference, manifest));
      }
      return new Entry(sample, sources.stream().map(fetcher::fetch).toList());
    } catch (SampleRejectedException e) {
      return new Entry(new Rejection(e.reason(), e.detail(), sample.line()), List.of());
    }
  }

  /**
   * Takes the first line of the window, waiting for its media.
   *
   * @throws IOException if the store cannot answer
   */
  public FetchedLine take() throws IOException, InterruptedException {
    Entry entry = entries.removeFirst();
    if (entry.line() instanceof Rejection rejection) {
      return new FetchedLine.Rejected(rejection);
    }
    Sample sample = (Sample) entry.line();
    List<byte[]> media = new ArrayList<>();
    try {
      for (Future<byte[]> future : entry.media()) {
        media.add(future.get());
      }
      return new FetchedLine.Ready(sample, media);
    } catch (ExecutionException e) {
      Throwable cause = Objects.requireNonNull(e.getCause());
      if (cause instanceof SampleRejectedException rejected) {
        return new FetchedLine.Rejected(
            new Rejection(rejected.reason(), rejected.detail(), sample.line()));
      }
      throw new IOException(
          "%s: %s".formatted(sample.line().provenance(), cause.getMessage()), cause);
    } finally {
      // What has arrived stays; after a failure or an interruption nobody waits for the rest.
      entry.media().forEach(future -> future.cancel(true));
    }
  }

  /** Cancels what is in flight. */
  @Override
  public void close() {
    entries.forEach(entry -> entry.media().forEach(future -> future.cancel(true)));
    entries.clear();
  }
}
