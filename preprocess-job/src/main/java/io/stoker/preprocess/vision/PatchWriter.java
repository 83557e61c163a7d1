package io.stoker.preprocess.vision;

import static io.stoker.format.ShardFormat.PATCH_VALUES;
import static io.stoker.index.ValueTable.CHANNELS;
import static io.stoker.preprocess.vision.VisionSettings.PATCH;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Cuts rows of a resized picture into patches: byte {@code (c * 16 + py) * 16 + px} of patch {@code
 * ((bh * (gw / 2) + bw) * 2 + mh) * 2 + mw}, where the patch is at grid row {@code 2 * bh + mh} and
 * grid column {@code 2 * bw + mw}. Four patches in a row of the output are one language-model
 * token.
 *
 * <p>Takes the 16 rows of a grid row at a time and writes patch after patch: the output, which is
 * large and cold, is then written front to back, and the scattered accesses go to rows that are in
 * the cache.
 */
final class PatchWriter {
  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  /** Ints of one channel of a patch row. */
  private static final int PIECE = PATCH / 4;

  private final byte[] out;
  private final int offset;
  private final int gridWidth;
  private final int planeWords;

  PatchWriter(byte[] out, int offset, Grid grid) {
    this.out = out;
    this.offset = offset;
    this.gridWidth = grid.width();
    planeWords = PackedRows.planeWords(gridWidth * PATCH);
  }

  /**
   * Writes the patches of a grid row.
   *
   * @param rows its 16 packed rows, planar
   */
  void write(int gridRow, int[][] rows) {
    int firstPatch = gridRow / 2 * 2 * gridWidth + gridRow % 2 * 2;
    for (int column = 0; column < gridWidth; column++) {
      int patch = firstPatch + column / 2 * 4 + column % 2;
      int at = offset + patch * PATCH_VALUES;
      writePatch(rows, column, planeWords, out, at);
    }
  }

  private static void writePatch(int[][] rows, int column, int planeWords, byte[] out, int at) {
    int to = at;
    for (int c = 0; c < CHANNELS; c++) {
      int from = c * planeWords + column * PIECE;
      for (int py = 0; py < PATCH; py++) {
        int[] row = rows[py];
        INTS.set(out, to, row[from]);
        INTS.set(out, to + 4, row[from + 1]);
        INTS.set(out, to + 8, row[from + 2]);
        INTS.set(out, to + 12, row[from + 3]);
        to += PATCH;
      }
    }
  }
}
