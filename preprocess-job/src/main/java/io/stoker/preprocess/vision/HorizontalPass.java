package io.stoker.preprocess.vision;

import io.stoker.preprocess.vision.ResizeLoops.BlendWindow;

/**
 * Resizes rows to another width; the result is planar (all of R, then G, then B).
 *
 * <p>Works on blocks of rows, transposed so that a lane is a row: then neighbouring samples of a
 * window are neighbouring arrays, a weight is one scalar for a whole array, and no lane ever needs
 * another lane's data. Words are transposed packed, four samples at a time.
 */
final class HorizontalPass implements PackedRows {
  /** Rows that are transposed together. */
  private static final int TILE = 8;

  private final SourceRows source;
  private final int height;
  private final int sourceWords;
  private final int groups;
  private final int planeWords;
  private final int blockRows;
  private final AxisWeights weights;
  private final ResizeLoops loops;
  private final int[][] sourceTile;
  private final int[][] sourceColumns;
  private final int[][] resultColumns;
  private final int[][] resultTile;
  private final BlendWindow window;
  private int y;

  HorizontalPass(
      SourceRows source,
      int height,
      int sourceWidth,
      int targetWidth,
      AxisWeights weights,
      ResizeLoops loops,
      Scratch scratch) {
    this.source = source;
    this.height = height;
    this.weights = weights;
    this.loops = loops;
    sourceWords = PackedRows.interleavedWords(sourceWidth);
    groups = targetWidth / 4;
    planeWords = PackedRows.planeWords(targetWidth);
    blockRows = loops.blockRows(sourceWords);
    sourceTile = scratch.source.rows(TILE, sourceWords);
    sourceColumns = scratch.sourceColumns.rows(sourceWords, blockRows);
    resultColumns = scratch.resultColumns.rows(3 * planeWords, blockRows);
    resultTile = scratch.result.rows(TILE, 3 * planeWords);
    int ring = BlendWindow.ringSize(columnsInUse(weights, groups));
    int[][] columns = scratch.columns.rows(ring, blockRows);
    window = new BlendWindow(columns, ring - 1, 3, weights);
  }

  /** Most source columns between the start of one group of four outputs and its end. */
  private static int columnsInUse(AxisWeights weights, int groups) {
    int most = 0;
    for (int group = 0; group < groups; group++) {
      int pixels = weights.starts[4 * group + 3] + weights.taps - weights.starts[4 * group];
      most = Math.max(most, 3 * pixels);
    }
    // Columns come four at a time: up to three before the first in use, up to three after the last.
    return most + 6;
  }

  @Override
  public void read(int[] row) {
    int i = y % blockRows;
    if (i == 0) {
      int rows = Math.min(blockRows, height - y);
      readBlock(rows);
      resizeBlock(rows);
    }
    if (i % TILE == 0) {
      toRows(resultColumns, i, resultTile, 3 * planeWords);
    }
    y++;
    System.arraycopy(resultTile[i % TILE], 0, row, 0, 3 * planeWords);
  }

  private void readBlock(int rows) {
    for (int row = 0; row < rows; row += TILE) {
      for (int i = 0; i < Math.min(TILE, rows - row); i++) {
        source.read(sourceTile[i]);
      }
      toColumns(sourceTile, sourceWords, sourceColumns, row);
    }
  }

  private void resizeBlock(int rows) {
    int unpacked = 0;
    for (int group = 0; group < groups; group++) {
      int end = 3 * (weights.starts[4 * group + 3] + weights.taps);
      for (; 4 * unpacked < end; unpacked++) {
        loops.unpack(sourceColumns[unpacked], window.planes, 4 * unpacked & window.mask, rows);
      }
      for (int channel = 0; channel < 3; channel++) {
        for (int j = 0; j < 4; j++) {
          window.start[j] = 3 * weights.starts[4 * group + j] + channel;
          window.weightAt[j] = (4 * group + j) * weights.taps;
        }
        loops.blend(resultColumns[channel * planeWords + group], rows, window);
      }
    }
  }

  private static void toColumns(int[][] tile, int words, int[][] columns, int row) {
    int[] r0 = tile[0];
    int[] r1 = tile[1];
    int[] r2 = tile[2];
    int[] r3 = tile[3];
    int[] r4 = tile[4];
    int[] r5 = tile[5];
    int[] r6 = tile[6];
    int[] r7 = tile[7];
    for (int i = 0; i < words; i++) {
      int[] column = columns[i];
      column[row] = r0[i];
      column[row + 1] = r1[i];
      column[row + 2] = r2[i];
      column[row + 3] = r3[i];
      column[row + 4] = r4[i];
      column[row + 5] = r5[i];
      column[row + 6] = r6[i];
      column[row + 7] = r7[i];
    }
  }

  private static void toRows(int[][] columns, int row, int[][] tile, int words) {
    int[] r0 = tile[0];
    int[] r1 = tile[1];
    int[] r2 = tile[2];
    int[] r3 = tile[3];
    int[] r4 = tile[4];
    int[] r5 = tile[5];
    int[] r6 = tile[6];
    int[] r7 = tile[7];
    for (int i = 0; i < words; i++) {
      int[] column = columns[i];
      r0[i] = column[row];
      r1[i] = column[row + 1];
      r2[i] = column[row + 2];
      r3[i] = column[row + 3];
      r4[i] = column[row + 4];
      r5[i] = column[row + 5];
      r6[i] = column[row + 6];
      r7[i] = column[row + 7];
    }
  }
}
