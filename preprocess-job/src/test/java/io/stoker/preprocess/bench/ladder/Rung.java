package io.stoker.preprocess.bench.ladder;

/**
 * One rung.
 *
 * @param name short
 * @param idea what it adds to the rung before, in a sentence
 * @param ranks training loops that run at the same time
 * @param opener makes the feed of one of them
 */
record Rung(String name, String idea, int ranks, Opener opener) {
  /** Makes the feed of a rank. */
  @FunctionalInterface
  interface Opener {
    Feed open(int rank) throws Exception;
  }
}
