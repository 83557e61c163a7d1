package io.stoker.preprocess.vision;

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
}
