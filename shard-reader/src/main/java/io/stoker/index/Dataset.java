package io.stoker.index;

import io.stoker.format.PixelLayout;
import io.stoker.format.ShardFormat;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The content of {@code dataset.json}: what a dataset is and which objects it consists of. A
 * dataset exists only once this document does.
 *
 * @param formatVersion version of the format, in [{@link ShardFormat#MIN_VERSION}, {@link
 *     ShardFormat#CURRENT_VERSION}]
 * @param datasetId identity of the content; every file of the dataset carries it
 * @param softwareVersion version of the software that wrote it
 * @param counts what is in it
 * @param pixels how patches are stored
 * @param valueTable the value of each raw pixel
 * @param fingerprints what the samples depend on (tokenizer, chat-template, processor,
 *     configuration), name to digest, sorted
 * @param settings the settings and the profile it was made with, sorted
 * @param blockTable the block table
 * @param shards the shards; the block table refers to them by index
 */
public record Dataset(
    int formatVersion,
    String datasetId,
    String softwareVersion,
    DatasetCounts counts,
    PixelLayout pixels,
    ValueTable valueTable,
    SortedMap<String, String> fingerprints,
    SortedMap<String, String> settings,
    BlockTableFile blockTable,
    List<ShardEntry> shards) {
  public Dataset {
    if (formatVersion < ShardFormat.MIN_VERSION || formatVersion > ShardFormat.CURRENT_VERSION) {
      throw new IllegalArgumentException("unknown format version " + formatVersion);
    }
    if (datasetId.isEmpty()) {
      throw new IllegalArgumentException("the dataset id is empty");
    }
    fingerprints = Collections.unmodifiableSortedMap(new TreeMap<>(fingerprints));
    settings = Collections.unmodifiableSortedMap(new TreeMap<>(settings));
    shards = List.copyOf(shards);
  }

  /** A dataset of the current format version, with maps in any order. */
  public static Dataset of(
      String datasetId,
      String softwareVersion,
      DatasetCounts counts,
      PixelLayout pixels,
      ValueTable valueTable,
      Map<String, String> fingerprints,
      Map<String, String> settings,
      BlockTableFile blockTable,
      List<ShardEntry> shards) {
    return new Dataset(
        ShardFormat.CURRENT_VERSION,
        datasetId,
        softwareVersion,
        counts,
        pixels,
        valueTable,
        new TreeMap<>(fingerprints),
        new TreeMap<>(settings),
        blockTable,
        shards);
  }

  /** Blocks of all shards. */
  public long blocks() {
    return shards.stream().mapToLong(ShardEntry::blocks).sum();
  }
}
