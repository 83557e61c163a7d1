package io.stoker.preprocess.bench;

import io.stoker.preprocess.decode.DecodeSettings;
import io.stoker.preprocess.decode.Decoder;
import io.stoker.preprocess.decode.ImageHeaders;
import io.stoker.preprocess.reject.SampleRejectedException;
import io.stoker.preprocess.vision.Grid;
import io.stoker.preprocess.vision.ImageProcessor;
import io.stoker.preprocess.vision.ResizeKernel;
import io.stoker.preprocess.vision.SimdPath;
import io.stoker.preprocess.vision.VisionSettings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.opencv.global.opencv_core;
import org.bytedeco.opencv.global.opencv_imgcodecs;
import org.bytedeco.opencv.opencv_core.Mat;

/**
 * The image chain (header, decode, resize, patches) against bare decoding of the same JPEG, in
 * processor time of one thread; and two threads against one, in throughput.
 */
final class ChainBenchmark {
  private static final List<Double> HALF = List.of(0.5, 0.5, 0.5);
  private static final VisionSettings SETTINGS =
      new VisionSettings(65_536, 16_777_216, 16, 2, 2, HALF, HALF, ResizeKernel.TORCH);
  private static final DecodeSettings DECODE = DecodeSettings.defaults();
  private static final int FLAGS =
      opencv_imgcodecs.IMREAD_COLOR_RGB | opencv_imgcodecs.IMREAD_IGNORE_ORIENTATION;
  private static final int THREAD_ROUNDS = Effort.of(21, 1);
  private static final int THREAD_IMAGES = Effort.of(150, 5);
  private static final int COUNTS = Effort.of(100_000_000, 1_000_000);

  private final Path photo;
  private final BenchTable table = new BenchTable("chain");

  private ChainBenchmark(Path photo) {
    this.photo = photo;
  }

  static void run(Path photo) throws Exception {
    opencv_core.setNumThreads(1);
    ChainBenchmark benchmark = new ChainBenchmark(photo);
    benchmark.measure("640x480 -> 576x416", 480, 640, new Grid(26, 36), 300);
    benchmark.measure("640x480, native size", 480, 640, new Grid(30, 40), 300);
    benchmark.measure("640x427 -> 640x416", 427, 640, new Grid(26, 40), 300);
    benchmark.measure("12 MP, checkpoint bounds", 3000, 4000, new Grid(188, 250), 10);
    benchmark.measure("12 MP -> 768x576", 3000, 4000, new Grid(36, 48), 10);
    benchmark.threads();
    benchmark.table.write();
  }

  private void measure(String name, int height, int width, Grid grid, int rounds) throws Exception {
    byte[] jpeg = Photos.jpeg(photo, height, width, 0);
    byte[] out = new byte[grid.patches() * 768];
    try (BytePointer bytes = new BytePointer(jpeg);
        Mat encoded = new Mat(1, jpeg.length, opencv_core.CV_8UC1, bytes);
        Mat decoded = new Mat();
        Decoder decoder = new Decoder(DECODE)) {
      ImageProcessor plain = new ImageProcessor(SETTINGS, SimdPath.PLAIN);
      ImageProcessor vector = new ImageProcessor(SETTINGS, SimdPath.VECTOR);
      Map<String, Double> medians =
          new Interleaved()
              .variant("decode", () -> opencv_imgcodecs.imdecode(encoded, FLAGS, decoded))
              .variant("plain", () -> chain(jpeg, decoder, plain, grid, out))
              .variant("vector", () -> chain(jpeg, decoder, vector, grid, out))
              .run(Effort.of(rounds, 1));
      double decode = medians.get("decode");
      table.add(name, "bare decode", decode, "ms");
      table.add(name, "chain, plain / bare decode", medians.get("plain") / decode, "x");
      table.add(name, "chain, Vector API / bare decode", medians.get("vector") / decode, "x");
    }
  }

  private static void chain(
      byte[] jpeg, Decoder decoder, ImageProcessor processor, Grid grid, byte[] out)
      throws SampleRejectedException {
    processor.patches(decoder.decode(jpeg, ImageHeaders.read(jpeg, DECODE)), grid, out, 0);
  }

  /**
   * Wall time, because that is what a second core saves. Rounds of one thread and of two take
   * turns. Bare decoding and counting, which needs no memory, show what this machine's second core
   * gives.
   */
  private void threads() throws Exception {
    byte[] jpeg = Photos.jpeg(photo, 480, 640, 0);
    Map<String, Interleaved.Work> works = new LinkedHashMap<>();
    works.put("chain", () -> chains(jpeg));
    works.put("bare decode", () -> decodes(jpeg));
    works.put("counting", ChainBenchmark::count);
    Map<String, List<Double>> ratios = new LinkedHashMap<>();
    ExecutorService pool = Executors.newFixedThreadPool(2);
    try {
      for (int round = 0; round <= THREAD_ROUNDS; round++) {
        for (Map.Entry<String, Interleaved.Work> work : works.entrySet()) {
          double ratio = 2 * seconds(pool, 1, work.getValue()) / seconds(pool, 2, work.getValue());
          if (round > 0) {
            ratios.computeIfAbsent(work.getKey(), key -> new ArrayList<>()).add(ratio);
          }
        }
      }
    } finally {
      pool.shutdownNow();
    }
    ratios.forEach(
        (work, values) -> table.add("two threads / one", work, Interleaved.median(values), "x"));
  }

  private static double seconds(ExecutorService pool, int threads, Interleaved.Work work)
      throws Exception {
    long start = System.nanoTime();
    List<Future<?>> running = new ArrayList<>();
    for (int thread = 0; thread < threads; thread++) {
      running.add(
          pool.submit(
              () -> {
                work.run();
                return null;
              }));
    }
    for (Future<?> future : running) {
      future.get();
    }
    return (System.nanoTime() - start) / 1e9;
  }

  private static void chains(byte[] jpeg) throws SampleRejectedException {
    Grid grid = new Grid(26, 36);
    byte[] out = new byte[grid.patches() * 768];
    ImageProcessor processor = new ImageProcessor(SETTINGS, SimdPath.AUTO);
    try (Decoder decoder = new Decoder(DECODE)) {
      for (int i = 0; i < THREAD_IMAGES; i++) {
        chain(jpeg, decoder, processor, grid, out);
      }
    }
  }

  private static void decodes(byte[] jpeg) {
    try (BytePointer bytes = new BytePointer(jpeg);
        Mat encoded = new Mat(1, jpeg.length, opencv_core.CV_8UC1, bytes);
        Mat decoded = new Mat()) {
      for (int i = 0; i < 2 * THREAD_IMAGES; i++) {
        opencv_imgcodecs.imdecode(encoded, FLAGS, decoded);
      }
    }
  }

  private static void count() {
    Random random = new Random(1);
    long sum = 0;
    for (int i = 0; i < COUNTS; i++) {
      sum += random.nextInt();
    }
    if (sum == 1) {
      System.out.println(); // keeps the loop from being optimised away
    }
  }
}
