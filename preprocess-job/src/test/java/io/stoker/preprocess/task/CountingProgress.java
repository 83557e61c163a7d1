package io.stoker.preprocess.task;

/** Adds up what a task tells. */
final class CountingProgress implements Progress {
  long written;
  long rejected;
  long stored;

  @Override
  public void written(long bytesIn) {
    written++;
  }

  @Override
  public void rejected() {
    rejected++;
  }

  @Override
  public void stored(long bytes) {
    stored += bytes;
  }
}
