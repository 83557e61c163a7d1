package io.stoker.preprocess.vision;

import static io.stoker.format.ShardFormat.PATCH_VALUES;
import static io.stoker.preprocess.vision.VisionSettings.PATCH;

import io.stoker.preprocess.decode.RgbImage;
import io.stoker.preprocess.reject.SampleRejectedException;
import java.util.Objects;
import java.util.Optional;

/**
 * Decoded pictures to 8-bit patches, as the reference image processor would have them before it
 * maps bytes to floats. Not thread-safe: it owns the memory in which it works on one image after
 * the other.
 */
public final class ImageProcessor {
  private final VisionSettings settings;
  private final ResizeLoops loops;
  private final WeightsCache<AxisWeights> weights;
  private final Scratch scratch = new Scratch();
  private final Optional<RowResize> rowResize;

  /**
   * @param simd which loops to run
   * @throws IllegalStateException if this JVM lacks what {@code simd} asks for
   */
  public ImageProcessor(VisionSettings settings, SimdPath simd) {
    this.settings = settings;
    this.loops = simd.loops();
    this.weights = new WeightsCache<>((in, out) -> AxisWeights.of(in, out, settings.kernel()));
    this.rowResize = simd.rowResize(settings.kernel(), scratch);
  }

  /**
   * The patch grid of a picture; its target size is 16 times that.
   *
   * @param height pixels
   * @param width pixels
   * @throws SampleRejectedException if one side is more than 200 times the other
   */
  public Grid grid(int height, int width) throws SampleRejectedException {
    return SmartResize.grid(height, width, settings.minPixels(), settings.maxPixels());
  }

  /**
   * Resizes a picture to its grid and writes its patches: uint8 of shape {@code [gh * gw, 3, 16,
   * 16]} (channel, row, column), patches in blocks of 2x2 (left to right, top to bottom, inside a
   * block and from block to block), one temporal slot. Every byte of the range is written.
   *
   * @param image the picture, which the caller may reuse when this returns
   * @param grid usually from {@link #grid}
   * @param out receives {@code gh * gw * 768} bytes
   * @param offset where in {@code out} to begin
   */
  public void patches(RgbImage image, Grid grid, byte[] out, int offset) {
    int size = Math.multiplyExact(grid.patches(), PATCH_VALUES);
    Objects.checkFromIndexSize(offset, size, out.length);
    int height = grid.height() * PATCH;
    int width = grid.width() * PATCH;
    if (rowResize.isPresent() && rowResize.get().patches(image, grid, out, offset)) {
      scratch.trim();
      return;
    }
    PackedRows rows = rows(image, height, width);
    int[][] target = scratch.target.rows(PATCH, 3 * PackedRows.planeWords(width));
    PatchWriter writer = new PatchWriter(out, offset, grid);
    for (int gridRow = 0; gridRow < grid.height(); gridRow++) {
      for (int y = 0; y < PATCH; y++) {
        rows.read(target[y]);
      }
      writer.write(gridRow, target);
    }
    scratch.trim();
  }

  /** The picture at the target size, planar, by only those passes that it needs. */
  private PackedRows rows(RgbImage image, int height, int width) {
    SourceRows source = new SourceRows(image);
    if (image.width() == width) {
      PackedRows rows = vertical(source, image, height, PackedRows.interleavedWords(width));
      return new SeparateColours(rows, width, scratch);
    }
    PackedRows rows =
        new HorizontalPass(
            source,
            image.height(),
            image.width(),
            width,
            weights.get(image.width(), width),
            loops,
            scratch);
    return vertical(rows, image, height, 3 * PackedRows.planeWords(width));
  }

  private PackedRows vertical(PackedRows rows, RgbImage image, int height, int words) {
    if (image.height() == height) {
      return rows;
    }
    return new VerticalPass(rows, words, weights.get(image.height(), height), loops, scratch);
  }
}
