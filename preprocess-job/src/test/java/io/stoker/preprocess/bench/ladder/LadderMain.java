package io.stoker.preprocess.bench.ladder;

import io.stoker.preprocess.bench.BenchTable;
import io.stoker.preprocess.bench.Effort;
import io.stoker.preprocess.bench.Photographs;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Arguments: {@code photos EXAMPLES DIRECTORY} writes the data set; {@code run ENDPOINT BUCKET
 * DATASET PAGE} climbs the ladder.
 */
final class LadderMain {
  private static final int BATCH = 8;
  private static final int WARM_UP = Effort.of(8, 1);
  private static final int STEPS = Effort.of(24, 3);
  // Rung 0 is to wait this share of its time, as the published pipeline did.
  private static final double SERIAL_WAIT = 0.85;

  private LadderMain() {}

  public static void main(String[] args) throws Exception {
    if (args[0].equals("photos")) {
      Photographs.write(
          Path.of(args[1]), Path.of(args[2]), SampleMaker.PICTURES, SampleMaker.PICTURES);
      return;
    }
    String endpoint = args[1];
    String bucket = args[2];
    URI dataset = URI.create(args[3]);
    long stepNanos = stepNanos(endpoint, bucket);
    System.out.printf(
        Locale.ROOT,
        "batches of %d, steps of %.0f ms, %d steps after %d to warm up%n%n  %-28s %10s %12s%n",
        BATCH,
        stepNanos / 1e6,
        STEPS,
        WARM_UP,
        "rung",
        "wait ratio",
        "samples/s");
    List<RungResult> results = new ArrayList<>();
    BenchTable table = new BenchTable("ladder");
    for (Rung rung : rungs(endpoint, bucket, dataset)) {
      RungResult result = climb(rung, stepNanos);
      results.add(result);
      table.keep(rung.name(), "wait ratio", result.waitRatio(), "");
      table.keep(rung.name(), "throughput", result.samplesPerSecond(), "samples/s");
      System.out.printf(
          Locale.ROOT,
          "  %d %-26s %10.4f %12.1f%n",
          results.size() - 1,
          rung.name(),
          result.waitRatio(),
          result.samplesPerSecond());
    }
    table.write();
    Files.writeString(Path.of(args[4]), LadderPage.of(results, stepNanos));
    System.exit(0);
  }

  private static List<Rung> rungs(String endpoint, String bucket, URI dataset) {
    return List.of(
        new Rung(
            "serial",
            "Fetch, decode, resize and normalise inside the step, one sample after the other.",
            1,
            rank -> new SerialFeed(new SampleMaker(endpoint, bucket), BATCH)),
        new Rung(
            "+ concurrency",
            "The pictures of a batch are fetched at the same time: latency is paid once per batch.",
            1,
            rank -> new ConcurrentFeed(new SampleMaker(endpoint, bucket), BATCH, 0)),
        new Rung(
            "+ prefetch",
            "Two worker processes prepare batches ahead and send them through pipes.",
            1,
            rank -> new WorkerFeed(endpoint, bucket, BATCH)),
        new Rung(
            "+ no copies",
            "Two threads of the trainer's process prepare ahead and hand batches over by"
                + " reference.",
            1,
            rank -> new ThreadFeed(endpoint, bucket, BATCH)),
        new Rung(
            "+ offline shards",
            "A job has done the work before: the step maps finished samples, fetched and verified"
                + " ahead.",
            1,
            rank -> new ShardFeed(dataset, rank, 1, WARM_UP + STEPS)),
        new Rung(
            "+ spread",
            "Two ranks read lanes of the same shards: twice the samples, and still no rank waits.",
            2,
            rank -> new ShardFeed(dataset, rank, 2, 2 * (WARM_UP + STEPS))));
  }

  /** Computed from the time that the serial rung takes to prepare a batch on this machine. */
  private static long stepNanos(String endpoint, String bucket) throws Exception {
    try (Feed serial = new SerialFeed(new SampleMaker(endpoint, bucket), BATCH)) {
      List<TrainLoop.Step> steps = new TrainLoop(serial, WARM_UP, WARM_UP, 0).call();
      double prepare = steps.stream().mapToLong(TrainLoop.Step::waitNanos).average().orElseThrow();
      return (long) (prepare * (1 - SERIAL_WAIT) / SERIAL_WAIT);
    }
  }

  private static RungResult climb(Rung rung, long stepNanos) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(rung.ranks());
    List<Feed> feeds = new ArrayList<>();
    try {
      List<Future<List<TrainLoop.Step>>> running = new ArrayList<>();
      for (int rank = 0; rank < rung.ranks(); rank++) {
        Feed feed = rung.opener().open(rank);
        feeds.add(feed);
        running.add(threads.submit(new TrainLoop(feed, WARM_UP, STEPS, stepNanos)));
      }
      List<List<TrainLoop.Step>> ranks = new ArrayList<>();
      for (Future<List<TrainLoop.Step>> future : running) {
        ranks.add(future.get());
      }
      return new RungResult(rung, ranks);
    } finally {
      threads.shutdownNow();
      for (Feed feed : feeds) {
        feed.close();
      }
    }
  }
}
