package io.stoker.preprocess.vision;

import io.stoker.preprocess.vision.ResizeLoops.BlendWindow;

/**
 * Resizes to another height, whatever the order of the samples in a row. Keeps just the rows that
 * the current window needs, one sample per int.
 */
final class VerticalPass implements PackedRows {
  private final PackedRows source;
  private final int words;
  private final AxisWeights weights;
  private final ResizeLoops loops;
  private final int[][] planes;
  private final int[] sourceRow;
  private final BlendWindow window;
  private int read;
  private int y;

  /**
   * @param words ints of a packed row
   */
  VerticalPass(
      PackedRows source, int words, AxisWeights weights, ResizeLoops loops, Scratch scratch) {
    this.source = source;
    this.words = words;
    this.weights = weights;
    this.loops = loops;
    int ring = 4 * BlendWindow.ringSize(weights.taps);
    planes = scratch.planes.rows(ring, words);
    sourceRow = scratch.wide.rows(1, words)[0];
    window = new BlendWindow(planes, ring - 1, 4, weights);
  }

  @Override
  public void read(int[] row) {
    int start = weights.starts[y];
    for (; read < start + weights.taps; read++) {
      source.read(sourceRow);
      loops.unpack(sourceRow, planes, 4 * read & window.mask, words);
    }
    for (int j = 0; j < 4; j++) {
      window.start[j] = 4 * start + j;
      window.weightAt[j] = y * weights.taps;
    }
    loops.blend(row, words, window);
    y++;
  }
}
