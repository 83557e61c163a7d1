package io.stoker.preprocess.vision;

import static io.stoker.format.ShardFormat.PATCH_VALUES;
import static io.stoker.index.ValueTable.CHANNELS;
import static io.stoker.preprocess.vision.VisionSettings.PATCH;

import io.stoker.preprocess.decode.RgbImage;
import java.util.Optional;

/**
 * Pictures that keep their size or change it little, row by row and straight into patches. A vector
 * is 8 or 16 neighbouring samples of a row, so nothing is transposed, and nothing packed between
 * the passes. Links the Vector API. Not thread-safe: it owns the memory that it works in.
 */
final class RowResize {
  /** Source rows that the horizontal loop takes together: its weights are loaded once for them. */
  private static final int STRIP = 4;

  private final WeightsCache<Optional<RowWeights>> across;
  private final WeightsCache<Optional<RowWeights>> down;
  private final Scratch scratch;
  private float[] source = new float[0];
  private float[] ring = new float[0];
  private int[] pieces = new int[0];
  private int piecesWidth;

  RowResize(ResizeKernel kernel, Scratch scratch) {
    across =
        new WeightsCache<>(
            (in, out) -> RowWeights.blocks(AxisWeights.of(in, out, kernel), RowKernels.L));
    down = new WeightsCache<>((in, out) -> RowWeights.rows(AxisWeights.of(in, out, kernel)));
    this.scratch = scratch;
  }

  /**
   * As {@link ImageProcessor#patches}.
   *
   * @return whether it was done; otherwise the picture changes too much, or its kernel's weights
   *     have too many bits
   */
  boolean patches(RgbImage image, Grid grid, byte[] out, int offset) {
    int width = grid.width() * PATCH;
    if (piecesWidth != width) {
      pieces = pieces(width);
      piecesWidth = width;
    }
    if (image.width() == width && image.height() == grid.height() * PATCH) {
      copy(image, grid, out, offset);
      return true;
    }
    Optional<RowWeights> horizontal =
        image.width() == width ? Optional.empty() : across.get(image.width(), width);
    Optional<RowWeights> vertical = down.get(image.height(), grid.height() * PATCH);
    if (vertical.isEmpty() || (image.width() != width && horizontal.isEmpty())) {
      return false;
    }
    Rows rows = new Rows(image, width, horizontal, vertical.get());
    for (int y = 0; y < grid.height() * PATCH; y++) {
      rows.write(y, out, offset + place(y, grid));
    }
    if (source.length + ring.length > Scratch.RETAINED) {
      source = new float[0];
      ring = new float[0];
    }
    return true;
  }

  private void copy(RgbImage image, Grid grid, byte[] out, int offset) {
    int planeWords = PackedRows.planeWords(image.width());
    PackedRows pixels = new SeparateColours(new SourceRows(image), image.width(), scratch);
    int[] packed = scratch.wide.rows(1, CHANNELS * planeWords)[0];
    for (int y = 0; y < image.height(); y++) {
      pixels.read(packed);
      RowKernels.copy(packed, planeWords, out, offset + place(y, grid), pieces);
    }
  }

  /** Where the first sample of a row belongs. */
  private static int place(int y, Grid grid) {
    int gridRow = y / PATCH;
    int patch = gridRow / 2 * 2 * grid.width() + gridRow % 2 * 2;
    return patch * PATCH_VALUES + y % PATCH * PATCH;
  }

  /** Where the vectors of a row belong, counted from its first sample's place. */
  private static int[] pieces(int width) {
    int blocks = width / RowKernels.L;
    int[] pieces = new int[CHANNELS * blocks];
    for (int i = 0; i < pieces.length; i++) {
      int x = i % blocks * RowKernels.L;
      int patch = x / PATCH / 2 * 4 + x / PATCH % 2;
      pieces[i] = patch * PATCH_VALUES + i / blocks * PATCH * PATCH + x % PATCH;
    }
    return pieces;
  }

  /** The resize of one picture. */
  private final class Rows {
    private final PackedRows pixels;
    private final int height;
    private final int width;
    private final Optional<RowWeights> horizontal;
    private final RowWeights vertical;
    private final int planeWords;
    private final int stride;
    private final int[] packed;
    private final int ringRows;
    private final int[] taps;
    private int read;

    Rows(RgbImage image, int width, Optional<RowWeights> horizontal, RowWeights vertical) {
      int wholeWords = (image.width() + 3) / 4 * 4;
      pixels = new SeparateColours(new SourceRows(image), wholeWords, scratch);
      height = image.height();
      this.width = width;
      this.horizontal = horizontal;
      this.vertical = vertical;
      planeWords = PackedRows.planeWords(wholeWords);
      stride = RowKernels.FRONT + 4 * planeWords + RowKernels.BACK;
      packed = scratch.wide.rows(1, CHANNELS * planeWords)[0];
      taps = new int[vertical.taps];
      ringRows = vertical.taps + STRIP - 1;
      if (source.length < STRIP * CHANNELS * stride) {
        source = new float[Math.multiplyExact(STRIP * CHANNELS, stride)];
      }
      if (ring.length < ringRows * CHANNELS * width) {
        ring = new float[Math.multiplyExact(ringRows * CHANNELS, width)];
      }
    }

    void write(int y, byte[] out, int to) {
      int start = vertical.starts[y];
      int end = Math.min(start + vertical.taps, height);
      while (read < end) {
        read += read(Math.min(STRIP, height - read));
      }
      for (int k = 0; k < taps.length; k++) {
        taps[k] = at(start + k);
      }
      RowKernels.vertical(ring, taps, vertical, y, out, to, pieces);
    }

    /** Where in the ring a row of the target's width is. */
    private int at(int row) {
      return row % ringRows * CHANNELS * width;
    }

    private int read(int rows) {
      // A strip is contiguous in the ring, too.
      int count = horizontal.isEmpty() ? 1 : Math.min(rows, ringRows - read % ringRows);
      for (int row = 0; row < count; row++) {
        pixels.read(packed);
        for (int c = 0; c < CHANNELS; c++) {
          if (horizontal.isEmpty()) {
            RowKernels.unpack(packed, c * planeWords, ring, at(read) + c * width, width / 4);
          } else {
            int to = (row * CHANNELS + c) * stride + RowKernels.FRONT;
            RowKernels.unpack(packed, c * planeWords, source, to, planeWords);
          }
        }
      }
      horizontal.ifPresent(
          weights ->
              RowKernels.horizontal(
                  source,
                  RowKernels.FRONT,
                  stride,
                  count * CHANNELS,
                  weights,
                  ring,
                  at(read),
                  width));
      return count;
    }
  }
}
