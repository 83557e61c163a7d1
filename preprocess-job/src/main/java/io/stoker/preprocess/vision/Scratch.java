package io.stoker.preprocess.vision;

import java.util.Arrays;
import java.util.List;

/** The working memory of one {@link ImageProcessor}, reused from image to image. */
final class Scratch {
  /**
   * Ints that one array set may keep after an image: 4 MiB. Photos of 12 megapixels stay below; a
   * freak picture does not pin its memory for the rest of the task.
   */
  static final long RETAINED = 1L << 20;

  /** Packed source rows. */
  final IntRows source = new IntRows();

  /** Packed source words by column: one array per word, lanes are rows. */
  final IntRows sourceColumns = new IntRows();

  /** Ring of source columns, one sample per int. */
  final IntRows columns = new IntRows();

  /** Packed result words by column. */
  final IntRows resultColumns = new IntRows();

  /** Packed result rows of the horizontal pass. */
  final IntRows result = new IntRows();

  /** Ring of rows for the vertical pass, one sample per int. */
  final IntRows planes = new IntRows();

  /** Packed row that the vertical pass reads. */
  final IntRows wide = new IntRows();

  /** Packed row whose colours are to be separated. */
  final IntRows interleaved = new IntRows();

  /** Packed rows of one grid row, at the target size. */
  final IntRows target = new IntRows();

  private final List<IntRows> all =
      List.of(
          source, sourceColumns, columns, resultColumns, result, planes, wide, interleaved, target);

  /** Lets go of what an unusually large image needed. */
  void trim() {
    all.forEach(rows -> rows.trim(RETAINED));
  }

  /**
   * Reusable int arrays, one per row: the compiler vectorises loops over {@code a[i]} and {@code
   * b[i]}, but not over {@code a[from + i]} and {@code a[to + i]}.
   */
  static final class IntRows {
    private int[][] rows = new int[0][];
    private long retained;

    /**
     * At least {@code count} arrays of at least {@code length} ints each, rounded up so that {@link
     * ResizeLoops} may run over the end. The contents are what earlier use left.
     */
    int[][] rows(int count, int length) {
      int from = rows.length;
      if (from < count) {
        rows = Arrays.copyOf(rows, count);
        Arrays.fill(rows, from, count, new int[0]);
      }
      int rounded = ResizeLoops.roundUp(length);
      for (int i = 0; i < count; i++) {
        if (rows[i].length < rounded) {
          retained += rounded - rows[i].length;
          rows[i] = new int[rounded];
        }
      }
      return rows;
    }

    /** Forgets all arrays if they hold more than {@code limit} ints. */
    void trim(long limit) {
      if (retained > limit) {
        rows = new int[0][];
        retained = 0;
      }
    }
  }
}
