package io.stoker.index;

import io.stoker.format.ShardFormat;

/**
 * The block table as an object of the dataset.
 *
 * @param name path relative to the dataset
 * @param bytes length of the file
 * @param crc32c CRC-32C of the whole file, in [0, 2^32)
 */
public record BlockTableFile(String name, long bytes, long crc32c) {
  public BlockTableFile {
    Checks.name(name);
    Checks.crc32c(crc32c);
    if (bytes <= 0 || bytes > ShardFormat.MAX_FILE_BYTES) {
      throw new IllegalArgumentException("block table " + name + ": " + bytes + " bytes");
    }
  }
}
