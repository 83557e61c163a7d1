package io.stoker.preprocess.shard;

import io.stoker.format.LittleEndianBuffer;

/**
 * One list column of a block under construction: the values, and where the list of each pack ends.
 */
final class ListColumn {
  final LittleEndianBuffer offsets = new LittleEndianBuffer();
  final LittleEndianBuffer values = new LittleEndianBuffer();
  private final int elementBytes;
  // Values that precede the first list: the leading 0 of string offsets.
  private final int leading;

  ListColumn(int elementBytes, int leading) {
    this.elementBytes = elementBytes;
    this.leading = leading;
  }

  void reset() {
    offsets.truncate(0);
    offsets.putInt(0);
    values.truncate(0);
    for (int i = 0; i < leading; i++) {
      values.putInt(0);
    }
  }

  /** Ends the list of one pack. */
  void endList() {
    offsets.putInt(elements());
  }

  /** Elements written so far. */
  int elements() {
    return values.size() / elementBytes - leading;
  }
}
