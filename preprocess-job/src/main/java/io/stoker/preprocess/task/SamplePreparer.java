package io.stoker.preprocess.task;

import io.stoker.preprocess.decode.DecodeSettings;
import io.stoker.preprocess.decode.ImageHeader;
import io.stoker.preprocess.decode.ImageHeaders;
import io.stoker.preprocess.measure.Stage;
import io.stoker.preprocess.measure.StageClock;
import io.stoker.preprocess.measure.TimeLimit;
import io.stoker.preprocess.reject.RejectReason;
import io.stoker.preprocess.reject.SampleRejectedException;
import io.stoker.preprocess.sample.Sample;
import io.stoker.preprocess.text.EncodedText;
import io.stoker.preprocess.text.TextEncoder;
import io.stoker.preprocess.vision.Grid;
import io.stoker.preprocess.vision.ImageProcessor;
import java.util.ArrayList;
import java.util.List;

/** Fetched sample → prepared sample: headers, grids and text. Not thread-safe. */
final class SamplePreparer {
  private final DecodeSettings decode;
  private final ImageProcessor processor;
  private final TextEncoder encoder;
  private final int maxTokens;
  private final TimeLimit time;
  private final StageClock clock;

  SamplePreparer(
      DecodeSettings decode,
      ImageProcessor processor,
      TextEncoder encoder,
      int maxTokens,
      TimeLimit time,
      StageClock clock) {
    this.decode = decode;
    this.processor = processor;
    this.encoder = encoder;
    this.maxTokens = maxTokens;
    this.time = time;
    this.clock = clock;
  }

  /**
   * Prepares a sample.
   *
   * @param media encoded bytes, one per image in reading order
   */
  PreparedSample prepare(Sample sample, List<byte[]> media) throws SampleRejectedException {
    long start = time.start(0);
    List<PreparedSample.Image> images;
    try (StageClock.Span span = clock.time(Stage.DECODE)) {
      images = images(media, start);
    }
    List<Grid> grids = images.stream().map(PreparedSample.Image::grid).toList();
    EncodedText text;
    try (StageClock.Span span = clock.time(Stage.TEXT)) {
      text = encoder.encode(sample, grids);
    }
    if (text.length() > maxTokens) {
      throw new SampleRejectedException(
          RejectReason.TOO_LONG,
          "expected at most %d tokens (pack.max-tokens), found %d"
              .formatted(maxTokens, text.length()));
    }
    time.check(start);
    return new PreparedSample(sample, text, images, time.spent(start));
  }

  private List<PreparedSample.Image> images(List<byte[]> media, long start)
      throws SampleRejectedException {
    List<PreparedSample.Image> images = new ArrayList<>();
    for (int i = 0; i < media.size(); i++) {
      time.check(start);
      try {
        images.add(image(media.get(i)));
      } catch (SampleRejectedException e) {
        throw e.ofImage(i, media.size());
      }
    }
    return images;
  }

  private PreparedSample.Image image(byte[] bytes) throws SampleRejectedException {
    ImageHeader header = ImageHeaders.read(bytes, decode);
    Grid grid = processor.grid(header.displayedHeight(), header.displayedWidth());
    return new PreparedSample.Image(bytes, header, grid);
  }
}
