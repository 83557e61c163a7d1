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
 * <p>Samples wait in the window until it is full. Then a pack starts with the largest one, because
 * it has the fewest partners, and takes again and again the largest that still fits; where three
 * more may fill it, it takes the one, two or three that do so best. Small samples stay, and they
 * fill gaps well. A pack starts with the sample that has waited longest once that is {@value
 * #MAX_AGE} windows old, so that none waits for ever.
 *
 * <p>Not thread-safe.
 *
 * @param <T> what is packed
 */
public final class Packer<T> {
  private static final int MAX_AGE = 4;
  private static final int AT_ONCE = 3;

  private record Waiting<T>(long arrival, T value, int tokens, long bytes) {}

  private final PackSettings settings;
  // By length, and by arrival within a length. Every queue in the map has an element.
  private final NavigableMap<Integer, ArrayDeque<Waiting<T>>> byTokens = new TreeMap<>();
  private final NavigableMap<Long, Waiting<T>> byArrival = new TreeMap<>();
  private long arrivals;
  private long waitingBytes;
  // How many samples waited when the window was last full, by number or by bytes.
  private int full;

  public Packer(PackSettings settings) {
    this.settings = settings;
    this.full = settings.window();
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
      full = byArrival.size();
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
    int room = settings.maxTokens();
    int[] next = {first()};
    while (next.length > 0) {
      for (int tokens : next) {
        // The oldest of its length.
        Waiting<T> taken = Objects.requireNonNull(byTokens.get(tokens)).element();
        remove(taken);
        pack.add(taken.value());
        room -= tokens;
      }
      next = next(room);
    }
    return pack;
  }

  /** Length of the sample that a pack starts with, which is the oldest of that length. */
  private int first() {
    Waiting<T> oldest = byArrival.firstEntry().getValue();
    return arrivals - oldest.arrival() > (long) MAX_AGE * full
        ? oldest.tokens()
        : byTokens.lastKey();
  }

  /** The lengths of the samples that are taken next into a room. */
  private int[] next(int room) {
    if (byTokens.isEmpty() || byTokens.firstKey() > room) {
      return new int[0];
    }
    int largest = byTokens.lastKey();
    if (room > (long) AT_ONCE * largest) {
      return new int[] {largest};
    }
    int[] lengths = new int[byTokens.size()];
    int[] counts = new int[lengths.length];
    int i = 0;
    for (Map.Entry<Integer, ArrayDeque<Waiting<T>>> entry : byTokens.entrySet()) {
      lengths[i] = entry.getKey();
      counts[i++] = entry.getValue().size();
    }
    return new BestFit(lengths, counts).in(room);
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
