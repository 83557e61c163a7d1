package io.stoker.preprocess.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.stoker.preprocess.decode.DecodeSettings;
import io.stoker.preprocess.decode.Decoder;
import io.stoker.preprocess.decode.ImageHeader;
import io.stoker.preprocess.sample.SampleRejectedException;
import io.stoker.preprocess.vision.Grid;
import io.stoker.preprocess.vision.ImageProcessor;
import io.stoker.preprocess.vision.ResizeKernel;
import io.stoker.preprocess.vision.SimdPath;
import io.stoker.preprocess.vision.VisionSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.bytedeco.opencv.global.opencv_core;

/**
 * The whole job, submitted as users do, against the bare image chain over the same pictures: in
 * turn, chain, job, chain, job. Both on one thread, in wall time; the store's server takes a core
 * of its own. The job's time is that of its tasks, the start of Spark aside, but with the warm-up
 * of its JVM, which the chain had before.
 */
final class JobBenchmark {
  private static final int ROUNDS = 3;
  private static final int MAX_PIXELS = 576 * 416;
  private static final int CORE_MIB = 512;
  private static final double MIB = 1 << 20;
  private static final List<Double> HALF = List.of(0.5, 0.5, 0.5);
  private static final Pattern HEAP = Pattern.compile(" (\\d+)M->(\\d+)M\\(");
  private static final Pattern RESIDENT = Pattern.compile("VmHWM:\\s*(\\d+) kB");

  private final Path top;
  private final Path data;
  private final Path work;
  private final BenchTable table = new BenchTable("job");

  /** What one submission showed. */
  private record Run(JsonNode report, double peakHeapMib, double liveHeapMib, double residentMib) {
    double seconds() {
      return report.path("task-seconds").asDouble();
    }

    int samples() {
      return report.path("samples").asInt();
    }
  }

  private JobBenchmark(Path top, Path data, Path work) {
    this.top = top;
    this.data = data;
    this.work = work;
  }

  /**
   * Arguments: the project's directory, the photographs' directory, a directory for what the runs
   * leave. The photographs are in the bucket {@code bench} too.
   */
  public static void main(String[] args) throws Exception {
    new JobBenchmark(Path.of(args[0]), Path.of(args[1]), Path.of(args[2])).run();
  }

  private void run() throws Exception {
    opencv_core.setNumThreads(1);
    List<byte[]> photos = photos();
    long bytes = photos.stream().mapToLong(photo -> photo.length).sum();
    var unused = chainSeconds(photos);
    Map<String, List<Double>> figures = new LinkedHashMap<>();
    for (int round = 0; round < ROUNDS; round++) {
      double chain = photos.size() / chainSeconds(photos);
      Run one = submit(1, round);
      double job = one.samples() / one.seconds();
      add(figures, "chain, warm samples/s", chain);
      add(figures, "job, local[1] samples/s/core", job);
      add(figures, "job / chain x", job / chain);
      add(figures, "peak heap MiB", one.peakHeapMib());
      add(figures, "heap after collection MiB", one.liveHeapMib());
      add(figures, "peak resident memory MiB", one.residentMib());
      add(
          figures,
          "bytes fetched / bytes of images x",
          one.report().path("bytes-in").asDouble() / bytes);
      one.report()
          .path("stages")
          .properties()
          .forEach(
              s ->
                  add(
                      figures,
                      "share of " + s.getKey() + " x",
                      s.getValue().path("share").asDouble()));
    }
    String name = photos.size() + " photos 640x480 -> 576x416";
    figures.forEach(
        (figure, values) -> {
          int unit = figure.lastIndexOf(' ');
          table.add(
              name,
              figure.substring(0, unit),
              Interleaved.median(values),
              figure.substring(unit + 1));
        });
    table.write();
  }

  private static void add(Map<String, List<Double>> figures, String name, double value) {
    figures.computeIfAbsent(name, key -> new ArrayList<>()).add(value);
  }

  private List<byte[]> photos() throws IOException {
    List<byte[]> photos = new ArrayList<>();
    try (Stream<Path> files = Files.list(data.resolve("photos"))) {
      for (Path file : files.sorted().toList()) {
        photos.add(Files.readAllBytes(file));
      }
    }
    return photos;
  }

  private static double chainSeconds(List<byte[]> photos) throws SampleRejectedException {
    VisionSettings settings =
        new VisionSettings(65_536, MAX_PIXELS, 16, 2, 2, HALF, HALF, ResizeKernel.TORCH);
    ImageProcessor processor = new ImageProcessor(settings, SimdPath.AUTO);
    byte[] out = new byte[MAX_PIXELS * 3];
    long start = System.nanoTime();
    try (Decoder decoder = new Decoder(DecodeSettings.defaults())) {
      for (byte[] photo : photos) {
        ImageHeader header = ImageHeader.read(photo, DecodeSettings.defaults());
        Grid grid = processor.grid(header.displayedHeight(), header.displayedWidth());
        processor.patches(decoder.decode(photo, header), grid, out, 0);
      }
    }
    return (System.nanoTime() - start) / 1e9;
  }

  private Run submit(int cores, int round) throws Exception {
    Path log = work.resolve("gc-%d-%d.txt".formatted(cores, round));
    Path printed = work.resolve("job-%d-%d.txt".formatted(cores, round));
    String output = "dataset-%d-%d".formatted(cores, round);
    ProcessBuilder builder =
        new ProcessBuilder(
            top.resolve("scripts/submit").toString(),
            "--master",
            "local[" + cores + "]",
            "--driver-memory",
            CORE_MIB * cores + "m",
            "--conf",
            "spark.driver.extraJavaOptions=-Xlog:gc:file=" + log,
            "--",
            "--set",
            "input.manifests=s3://bench/manifest.jsonl",
            "--set",
            "output.path=s3://bench/" + output,
            "--set",
            "model.path=" + top.resolve("examples/model"),
            "--set",
            "text.template=qwen3-vl-instruct",
            "--set",
            "vision.max-pixels=" + MAX_PIXELS,
            "--set",
            "progress.interval=0s");
    Process process = builder.redirectErrorStream(true).redirectOutput(printed.toFile()).start();
    double resident = 0;
    while (process.isAlive()) {
      resident = Math.max(resident, residentMib(process.pid()));
      Thread.sleep(200);
    }
    if (process.exitValue() != 0) {
      throw new IllegalStateException(
          "expected the job to succeed, found exit code %d, see %s"
              .formatted(process.exitValue(), printed));
    }
    Path dataset = work.resolve("s3/bench").resolve(output);
    JsonNode report = new ObjectMapper().readTree(dataset.resolve("report.json").toFile());
    delete(dataset);
    double peak = 0;
    double live = 0;
    for (String line : Files.readAllLines(log)) {
      Matcher heap = HEAP.matcher(line);
      if (heap.find()) {
        peak = Math.max(peak, Double.parseDouble(heap.group(1)));
        live = Math.max(live, Double.parseDouble(heap.group(2)));
      }
    }
    return new Run(report, peak, live, resident);
  }

  private static double residentMib(long pid) {
    try {
      Matcher peak = RESIDENT.matcher(Files.readString(Path.of("/proc/" + pid + "/status")));
      return peak.find() ? Double.parseDouble(peak.group(1)) * 1024 / MIB : 0;
    } catch (IOException e) {
      return 0; // It has just ended.
    }
  }

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
