package io.stoker.preprocess.measure;

import java.io.Serializable;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a task, or all of them, did.
 *
 * @param rows manifest rows taken
 * @param samples samples written
 * @param packs packs written
 * @param tokens tokens written
 * @param supervisedTokens tokens with a label
 * @param patches patches written
 * @param bytesIn encoded media fetched
 * @param bytesOut bytes of the shards
 * @param rejects rejected rows by reason code
 */
public record Counts(
    long rows,
    long samples,
    long packs,
    long tokens,
    long supervisedTokens,
    long patches,
    long bytesIn,
    long bytesOut,
    Map<String, Long> rejects)
    implements Serializable {
  public Counts {
    // Sorted, so that whatever prints it is deterministic.
    rejects = Collections.unmodifiableMap(new TreeMap<>(rejects));
  }

  /** The counts of no work at all. */
  public static Counts none() {
    return new Counts(0, 0, 0, 0, 0, 0, 0, 0, Map.of());
  }

  /** The sum of both. */
  public Counts plus(Counts other) {
    Map<String, Long> sum = new TreeMap<>(rejects);
    other.rejects.forEach((reason, count) -> sum.merge(reason, count, Long::sum));
    return new Counts(
        rows + other.rows,
        samples + other.samples,
        packs + other.packs,
        tokens + other.tokens,
        supervisedTokens + other.supervisedTokens,
        patches + other.patches,
        bytesIn + other.bytesIn,
        bytesOut + other.bytesOut,
        sum);
  }

  /** Rejected rows of all reasons. */
  public long rejected() {
    return rejects.values().stream().mapToLong(Long::longValue).sum();
  }
}
