package io.stoker.preprocess.task;

import io.stoker.format.PixelLayout;
import io.stoker.preprocess.config.PixelSettings;
import io.stoker.preprocess.decode.Decoder;
import io.stoker.preprocess.decode.RgbImage;
import io.stoker.preprocess.measure.Stage;
import io.stoker.preprocess.measure.StageClock;
import io.stoker.preprocess.reject.SampleRejectedException;
import io.stoker.preprocess.shard.BlockBuilder;
import io.stoker.preprocess.vision.Grid;
import io.stoker.preprocess.vision.ImageProcessor;
import io.stoker.preprocess.vision.PixelEncoder;
import io.stoker.preprocess.vision.VisionSettings;
import org.jspecify.annotations.Nullable;

/**
 * Encoded image → patches in a block. In the default encoding the resize kernel writes straight
 * into the block's memory; the others need one pass more. Not thread-safe.
 */
public final class PixelWriter {
  private final Decoder decoder;
  private final ImageProcessor processor;
  private final @Nullable PixelEncoder encoder;
  private final StageClock clock;
  private byte[] scratch = new byte[0];

  PixelWriter(
      Decoder decoder,
      ImageProcessor processor,
      VisionSettings vision,
      PixelSettings pixels,
      StageClock clock) {
    this.decoder = decoder;
    this.processor = processor;
    this.encoder =
        pixels.layout().equals(PixelLayout.UINT8)
            ? null
            : new PixelEncoder(vision.valueTable(), pixels.layout());
    this.clock = clock;
  }

  /** Appends an image's patches to the block's current segment. */
  void write(PreparedSample.Image image, BlockBuilder block) throws SampleRejectedException {
    RgbImage rgb;
    try (StageClock.Span span = clock.time(Stage.DECODE)) {
      rgb = decoder.decode(image.bytes(), image.header());
    }
    try (StageClock.Span span = clock.time(Stage.RESIZE)) {
      patches(rgb, image.grid(), block);
    }
  }

  private void patches(RgbImage rgb, Grid grid, BlockBuilder block) {
    int offset = block.reservePatches(grid.patches());
    if (encoder == null) {
      processor.patches(rgb, grid, block.pixels(), offset);
      return;
    }
    int bytes = Math.multiplyExact(grid.patches(), PixelLayout.UINT8.bytesPerPatch());
    if (scratch.length < bytes) {
      scratch = new byte[bytes];
    }
    processor.patches(rgb, grid, scratch, 0);
    encoder.encode(scratch, 0, grid.patches(), block.pixels(), offset);
  }
}
