package io.stoker.index;

import io.stoker.format.ShardFormat;
import java.io.Serializable;

/**
 * One block of a shard, as the block table knows it.
 *
 * @param offset first byte in the shard, a multiple of 64
 * @param length bytes, a positive multiple of 64
 * @param packs packs in the block, at least 1
 * @param samples samples in the block, at least 1 per pack
 * @param tokens tokens of all packs
 * @param patches patches of all packs
 * @param crc32c CRC-32C of the {@code length} bytes, in [0, 2^32)
 */
public record BlockEntry(
    long offset, long length, int packs, int samples, long tokens, long patches, long crc32c)
    implements Serializable {
  public BlockEntry {
    if (offset < 0
        || length <= 0
        || offset % ShardFormat.ALIGNMENT != 0
        || length % ShardFormat.ALIGNMENT != 0
        || offset > ShardFormat.MAX_FILE_BYTES - length) {
      throw new IllegalArgumentException(
          "block range: expected multiples of 64 below 2 GiB, found " + offset + " + " + length);
    }
    if (packs < 1 || samples < packs || tokens < samples || patches < 0) {
      throw new IllegalArgumentException(
          "block counts do not fit each other: "
              + packs
              + " packs, "
              + samples
              + " samples, "
              + tokens
              + " tokens, "
              + patches
              + " patches");
    }
    Checks.crc32c(crc32c);
  }
}
