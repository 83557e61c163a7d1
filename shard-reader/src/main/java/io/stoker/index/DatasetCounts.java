package io.stoker.index;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What is in a dataset.
 *
 * @param samples finished samples
 * @param packs packs
 * @param tokens tokens of all packs
 * @param supervisedTokens tokens whose label is trained
 * @param patches image patches
 * @param rejects rejected manifest records by reason code, sorted
 */
public record DatasetCounts(
    long samples,
    long packs,
    long tokens,
    long supervisedTokens,
    long patches,
    SortedMap<String, Long> rejects) {
  public DatasetCounts {
    Checks.notNegative("samples", samples);
    Checks.notNegative("packs", packs);
    Checks.notNegative("tokens", tokens);
    Checks.notNegative("supervised tokens", supervisedTokens);
    Checks.notNegative("patches", patches);
    rejects.forEach(Checks::notNegative);
    rejects = Collections.unmodifiableSortedMap(new TreeMap<>(rejects));
  }

  /** The counts with rejects given in any order. */
  public static DatasetCounts of(
      long samples,
      long packs,
      long tokens,
      long supervisedTokens,
      long patches,
      Map<String, Long> rejects) {
    return new DatasetCounts(
        samples, packs, tokens, supervisedTokens, patches, new TreeMap<>(rejects));
  }

  /** Rows that were rejected, all reasons together. */
  public long rejected() {
    return rejects.values().stream().mapToLong(Long::longValue).sum();
  }
}
