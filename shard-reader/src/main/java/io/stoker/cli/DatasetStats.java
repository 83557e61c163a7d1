package io.stoker.cli;

import io.stoker.format.BlockLayout;
import java.io.PrintWriter;
import java.util.Locale;

/** The distributions that {@code stoker stats} shows. Not thread-safe. */
final class DatasetStats {
  private final Histogram packTokens = new Histogram("tokens per pack", "packs");
  private final Histogram packSamples = new Histogram("samples per pack", "packs");
  private final Histogram sampleTokens = new Histogram("tokens per sample", "samples");
  private final Histogram packImages = new Histogram("images per pack", "packs");
  private final Histogram imagePatches = new Histogram("patches per image", "images");
  private final Histogram supervised =
      new Histogram("supervised tokens of a sample in percent", "samples");
  private long blocks;
  private long tokens;
  private long supervisedTokens;

  void add(BlockLayout block) {
    blocks++;
    for (int pack = 0; pack < block.packs(); pack++) {
      packTokens.add(block.tokens(pack));
      packSamples.add(block.segments(pack));
      packImages.add(block.images(pack));
      for (int image = 0; image < block.images(pack); image++) {
        imagePatches.add(block.imagePatches(pack, image));
      }
      for (int sample = 0; sample < block.segments(pack); sample++) {
        addSample(block.segmentTokens(pack, sample), block.supervisedTokens(pack, sample));
      }
    }
  }

  private void addSample(int length, int trained) {
    sampleTokens.add(length);
    supervised.add(100L * trained / length);
    tokens += length;
    supervisedTokens += trained;
  }

  private double supervisedFraction() {
    return Units.fraction(supervisedTokens, tokens);
  }

  /**
   * All distributions.
   *
   * @param allBlocks blocks of the dataset
   */
  Report toReport(long allBlocks) {
    return new Report()
        .add("blocks", allBlocks)
        .add("blocks-read", blocks)
        .addJson("supervised-fraction", Units.rounded(supervisedFraction()))
        .addJson("tokens-per-pack", packTokens.toReport())
        .addJson("samples-per-pack", packSamples.toReport())
        .addJson("tokens-per-sample", sampleTokens.toReport())
        .addJson("images-per-pack", packImages.toReport())
        .addJson("patches-per-image", imagePatches.toReport())
        .addJson("supervised-percent-per-sample", supervised.toReport());
  }

  /** All distributions, with bars. */
  void printText(PrintWriter out, long allBlocks) {
    out.printf(
        Locale.ROOT,
        "%,d of %,d blocks read; %,d of %,d tokens supervised (%s)%n",
        blocks,
        allBlocks,
        supervisedTokens,
        tokens,
        Units.percent(supervisedFraction()));
    for (Histogram histogram :
        new Histogram[] {
          packTokens, packSamples, sampleTokens, packImages, imagePatches, supervised
        }) {
      out.println();
      histogram.printText(out);
    }
    out.flush();
  }
}
