package io.stoker.preprocess.task;

import io.stoker.preprocess.commit.RejectsWriter;
import io.stoker.preprocess.commit.StagedPartition;
import io.stoker.preprocess.commit.SuspectRows;
import io.stoker.preprocess.config.StageSettings;
import io.stoker.preprocess.decode.Decoder;
import io.stoker.preprocess.fetch.FetchWindow;
import io.stoker.preprocess.manifest.ManifestLine;
import io.stoker.preprocess.manifest.Provenance;
import io.stoker.preprocess.measure.Counts;
import io.stoker.preprocess.measure.Stage;
import io.stoker.preprocess.measure.StageClock;
import io.stoker.preprocess.measure.TimeLimit;
import io.stoker.preprocess.pack.Packer;
import io.stoker.preprocess.reject.RejectReason;
import io.stoker.preprocess.reject.SampleRejectedException;
import io.stoker.preprocess.sample.ParsedLine;
import io.stoker.preprocess.sample.Rejection;
import io.stoker.preprocess.sample.Sample;
import io.stoker.preprocess.sample.SampleParser;
import io.stoker.preprocess.shard.Attempt;
import io.stoker.preprocess.shard.BlockBuilder;
import io.stoker.preprocess.shard.BlockStats;
import io.stoker.preprocess.shard.ShardStager;
import io.stoker.preprocess.shard.StagedShard;
import io.stoker.preprocess.store.CrashPoint;
import io.stoker.preprocess.vision.Grid;
import io.stoker.preprocess.vision.ImageProcessor;
import java.io.Closeable;
import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One attempt at one partition: its rows go through all stages and into shards. Knows nothing of
 * Spark. Closing it aborts what is not finished. Not thread-safe.
 */
public final class PartitionRun implements Closeable {
  private final Attempt attempt;
  private final Progress progress;
  private final StageClock clock = new StageClock();
  private final Iterator<ManifestLine> lines;
  private final SampleParser parser;
  private final FetchWindow window;
  private final Decoder decoder;
  private final TimeLimit time;
  private final SamplePreparer preparer;
  private final PixelWriter pixels;
  private final Packer<PreparedSample> packer;
  private final ShardStager shards;
  private final RejectsWriter rejects;
  private final SuspectRows suspects;
  private long rows;
  private long bytesIn;
  private long reportedBytes;

  public PartitionRun(
      JobSpec spec,
      WorkerResources resources,
      Attempt attempt,
      SuspectRows suspects,
      Iterator<ManifestLine> lines,
      Progress progress) {
    StageSettings stages = spec.stages();
    this.attempt = attempt;
    this.suspects = suspects;
    this.progress = progress;
    this.lines = lines;
    this.parser = resources.parser();
    this.window = new FetchWindow(resources.resolver(), resources.fetcher(), stages.fetch());
    this.decoder = new Decoder(stages.decode());
    ImageProcessor processor = new ImageProcessor(spec.vision(), stages.pixels().simd());
    this.time = new TimeLimit(stages.sample().limits().maxTime(), System::nanoTime);
    this.preparer =
        new SamplePreparer(
            stages.decode(),
            processor,
            resources.encoder(),
            stages.pack().maxTokens(),
            time,
            clock);
    this.pixels = new PixelWriter(decoder, processor, spec.vision(), stages.pixels(), clock);
    this.packer = new Packer<>(stages.pack());
    this.shards =
        new ShardStager(
            resources.output(),
            attempt,
            spec.datasetId(),
            stages.pixels().layout(),
            stages.shard(),
            clock);
    this.rejects = new RejectsWriter(resources.output(), attempt);
  }

  /** Runs to the end. */
  public StagedPartition run() throws IOException, InterruptedException {
    while (fillWindow()) {
      FetchWindow.Fetched next = take();
      rows++;
      if (next.line() instanceof Rejection rejection) {
        reject(rejection);
      } else {
        add((Sample) next.line(), next.media());
      }
    }
    Iterator<List<PreparedSample>> rest = packer.finish();
    while (rest.hasNext()) {
      write(next(rest));
    }
    return finish();
  }

  /**
   * Parses lines and starts their requests until the window is full.
   *
   * @return whether there is a line to take from it
   */
  private boolean fillWindow() {
    while (window.hasRoom() && lines.hasNext()) {
      ParsedLine parsed = parse(lines.next());
      try (StageClock.Span span = clock.time(Stage.FETCH_WAIT)) {
        window.add(parsed);
      }
    }
    return !window.isEmpty();
  }

  private ParsedLine parse(ManifestLine line) {
    try (StageClock.Span span = clock.time(Stage.TEXT)) {
      return parser.parse(line);
    }
  }

  private FetchWindow.Fetched take() throws IOException, InterruptedException {
    try (StageClock.Span span = clock.time(Stage.FETCH_WAIT)) {
      return window.take();
    }
  }

  private List<PreparedSample> next(Iterator<List<PreparedSample>> packs) {
    try (StageClock.Span span = clock.time(Stage.PACK)) {
      return packs.next();
    }
  }

  private void add(Sample sample, List<byte[]> media) throws IOException {
    bytesIn += media.stream().mapToLong(bytes -> bytes.length).sum();
    Provenance row = sample.line().provenance();
    PreparedSample prepared;
    try {
      if (suspects.condemns(row)) {
        throw new SampleRejectedException(
            RejectReason.RESOURCE_LIMIT,
            "expected a row that can be worked on, found one at which two attempts lost their"
                + " process");
      }
      prepared =
          this.<PreparedSample, SampleRejectedException>working(
              row, () -> preparer.prepare(sample, media));
    } catch (SampleRejectedException e) {
      reject(Rejection.of(e, sample.line()));
      return;
    }
    List<List<PreparedSample>> packs;
    try (StageClock.Span span = clock.time(Stage.PACK)) {
      packs = packer.add(prepared, prepared.text().length(), prepared.bytes());
    }
    for (List<PreparedSample> pack : packs) {
      write(pack);
    }
  }

  /** A sample whose pixels turn out to be unusable leaves a gap in its pack, not a broken pack. */
  private void write(List<PreparedSample> pack) throws IOException {
    shards.beginPack(pack.stream().mapToLong(PreparedSample::patches).sum());
    BlockBuilder block = shards.block();
    int written = 0;
    for (PreparedSample sample : pack) {
      try {
        this.<@Nullable Void, SampleRejectedException>working(
            sample.sample().line().provenance(),
            () -> {
              pixels(sample, block);
              return null;
            });
      } catch (SampleRejectedException e) {
        block.rollback();
        reject(Rejection.of(e, sample.sample().line()));
        continue;
      }
      addSegment(sample, block);
      written++;
      progress.written(sample.bytes());
    }
    if (written > 0) {
      shards.endPack();
    }
    reportStored();
  }

  private <T extends @Nullable Object, E extends Exception> T working(
      Provenance row, SuspectRows.Work<T, E> work) throws IOException, E {
    if (suspects.careful()) {
      shards.settle();
    }
    return suspects.working(row, work);
  }

  /** Shards are completed in the background, so that the number may grow at any time. */
  private void reportStored() {
    long bytes = shards.bytes();
    progress.stored(bytes - reportedBytes);
    reportedBytes = bytes;
  }

  private void pixels(PreparedSample sample, BlockBuilder block) throws SampleRejectedException {
    CrashPoint.hitSample(sample.sample().id());
    long start = time.start(sample.nanos());
    List<PreparedSample.Image> images = sample.images();
    for (int i = 0; i < images.size(); i++) {
      time.check(start);
      try {
        pixels.write(images.get(i), block);
      } catch (SampleRejectedException e) {
        throw e.ofImage(i, images.size());
      }
    }
    time.check(start);
  }

  private void addSegment(PreparedSample sample, BlockBuilder block) {
    int[] grids = new int[3 * sample.images().size()];
    int at = 0;
    for (PreparedSample.Image image : sample.images()) {
      Grid grid = image.grid();
      grids[at++] = 1;
      grids[at++] = grid.height();
      grids[at++] = grid.width();
    }
    try (StageClock.Span span = clock.time(Stage.WRITE)) {
      block.addSegment(
          sample.sample().id(),
          sample.text().inputIds(),
          sample.text().labels(),
          sample.text().positionIds(),
          grids);
    }
  }

  private void reject(Rejection rejection) throws IOException {
    rejects.add(rejection);
    progress.rejected();
  }

  private StagedPartition finish() throws IOException {
    List<StagedShard> staged = shards.finish();
    CrashPoint.hit("after-shards");
    String rejectsName = rejects.finish();
    CrashPoint.hit("after-rejects");
    reportStored();
    BlockStats stats = shards.stats();
    Counts counts =
        new Counts(
            rows,
            stats.samples(),
            stats.packs(),
            stats.tokens(),
            stats.supervisedTokens(),
            stats.patches(),
            bytesIn,
            shards.bytes(),
            rejects.counts());
    return new StagedPartition(attempt.partition(), staged, rejectsName, counts, clock.times());
  }

  @Override
  public void close() throws IOException {
    try (RejectsWriter closedLast = rejects;
        ShardStager closedThird = shards;
        Decoder closedSecond = decoder;
        FetchWindow closedFirst = window) {
      // Closes all four, whichever fails.
    }
  }
}
