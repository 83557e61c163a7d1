package io.stoker.preprocess.pack;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;

/**
 * Best-fit packing in a bounded window.
 *
 * <p>Samples wait in the window until it is full; then a pack starts with the sample that has
 * waited longest, so that none waits for ever, and takes again and again the largest waiting sample
 * that still fits. Large samples leave first; the small ones that stay are what fills gaps well.
 *
 * <p>Not thread-safe.
 *
 * @param <T> what is packed
 */
public final class Packer<T> {
  private record Waiting<T>(long arrival, T value, int tokens, long bytes) {}

  private final PackSettings settings;
  // By length, and by arrival within a length. Every queue in the map has an element.
  private final NavigableMap<Integer, ArrayDeque<Waiting<T>>> byTokens = new TreeMap<>();
  private final NavigableMap<Long, Waiting<T>> byArrival = new TreeMap<>();
  private long arrivals;
  private long waitingBytes;

  public Packer(PackSettings settings) {
    this.settings = settings;
  }

  /**
   * Adds a sample.
   *
   * @param tokens length of the sample, 1 to {@code maxTokens}
   * @param bytes memory it holds while it waits
   * @return the packs that are complete now, often none
   */
  public List<List<T>> add(T value, int tokens, long bytes) {
    if (tokens < 1 || tokens > settings.maxTokens()) {
      throw new IllegalArgumentException(
          "expected 1 to %d tokens, found %d".formatted(settings.maxTokens(), tokens));
    }
    if (!settings.enabled()) {
      return List.of(List.of(value));
    }
    Waiting<T> waiting = new Waiting<>(arrivals++, value, tokens, bytes);
    byArrival.put(waiting.arrival(), waiting);
    byTokens.computeIfAbsent(tokens, length -> new ArrayDeque<>()).add(waiting);
    waitingBytes += bytes;
    List<List<T>> packs = new ArrayList<>();
    while (byArrival.size() >= settings.window() || waitingBytes >= settings.windowBytes()) {
      packs.add(nextPack());
      if (byArrival.isEmpty()) {
        break;
      }
    }
    return packs;
  }

  /** The packs of everything that still waits. */
  public Iterator<List<T>> finish() {
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return !byArrival.isEmpty();
      }

      @Override
      public List<T> next() {
        return nextPack();
      }
    };
  }

  private List<T> nextPack() {
    List<T> pack = new ArrayList<>();
    Waiting<T> taken = byArrival.firstEntry().getValue();
    int room = settings.maxTokens();
    while (true) {
      remove(taken);
      pack.add(taken.value());
      room -= taken.tokens();
      Map.Entry<Integer, ArrayDeque<Waiting<T>>> fitting = byTokens.floorEntry(room);
      if (fitting == null) {
        return pack;
      }
      taken = fitting.getValue().element();
    }
  }

  private void remove(Waiting<T> taken) {
    byArrival.remove(taken.arrival());
    waitingBytes -= taken.bytes();
    ArrayDeque<Waiting<T>> sameLength = Objects.requireNonNull(byTokens.get(taken.tokens()));
    // Both callers take the one that came first of its length.
    sameLength.remove();
    if (sameLength.isEmpty()) {
      byTokens.remove(taken.tokens());
    }
  }
}
