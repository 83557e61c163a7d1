package io.stoker.index;

import io.stoker.format.ShardFormat;
import java.io.Serializable;

/**
 * One shard of a dataset.
 *
 * @param name path relative to the dataset, for example {@code shards/3f/….arrow}
 * @param bytes length of the file
 * @param crc32c CRC-32C of the whole file, in [0, 2^32)
 * @param blocks number of its blocks, at least 1
 */
public record ShardEntry(String name, long bytes, long crc32c, int blocks) implements Serializable {
  public ShardEntry {
    Checks.name(name);
    Checks.crc32c(crc32c);
    if (bytes <= 0 || bytes > ShardFormat.MAX_FILE_BYTES || blocks < 1) {
      throw new IllegalArgumentException(
          "shard " + name + ": " + bytes + " bytes in " + blocks + " blocks");
    }
  }
}
