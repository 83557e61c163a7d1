package io.stoker.preprocess.text;

import java.util.Arrays;

/** A growing array of longs. Not thread-safe. */
final class LongList {
  private long[] values = new long[256];
  private int size;

  int size() {
    return size;
  }

  void add(long value) {
    reserve(1);
    values[size++] = value;
  }

  void addAll(long[] more) {
    reserve(more.length);
    System.arraycopy(more, 0, values, size, more.length);
    size += more.length;
  }

  void addRepeated(long value, int count) {
    reserve(count);
    Arrays.fill(values, size, size + count, value);
    size += count;
  }

  /** Copies the values from one index up to the end to the same places of another array. */
  void copyTo(long[] target, int from, int to) {
    System.arraycopy(values, from, target, from, to - from);
  }

  long[] toArray() {
    return Arrays.copyOf(values, size);
  }

  private void reserve(int more) {
    int needed = Math.addExact(size, more);
    if (needed > values.length) {
      values = Arrays.copyOf(values, Math.max(needed, values.length + (values.length >> 1)));
    }
  }
}
