package io.stoker.reader;

import java.util.ArrayList;
import java.util.List;

/** Keeps the first batches of a run in memory and gives them again and again. One thread. */
final class Headspace {
  private final int size;
  private final List<Batch> resident = new ArrayList<>();
  private int next;

  Headspace(int size) {
    this.size = size;
  }

  boolean isFull() {
    return resident.size() == size;
  }

  void add(Batch batch) {
    resident.add(batch);
  }

  /** One of the batches, as if it were that of another place of the run. */
  Batch replay(long epoch, long step, int lane) {
    Batch batch = resident.get(next);
    next = (next + 1) % size;
    return batch.at(epoch, step, lane);
  }
}
