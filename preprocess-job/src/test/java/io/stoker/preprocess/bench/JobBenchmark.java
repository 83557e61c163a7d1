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
 * The whole job on one core, submitted as users do, against the bare image chain over the same
 * pictures, in turn, in wall time: once with the store on an S3 server of loopback, which along
 * with uploads and fetches has the machine's other core, and once in a file system in memory, which
 * shows what the job itself costs. The job's time is that of its tasks, with the warm-up of its
 * JVM, which the chain had before; the start of Spark is not in it.
 */
final class JobBenchmark {
  private static final int ROUNDS = 2;
  private static final Path MEMORY = Path.of("/dev/shm");
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
  private final Map<Figure, List<Double>> figures = new LinkedHashMap<>();

  private record Figure(String name, String figure, String unit) {}

  /** What one submission showed. */
  private record Run(JsonNode report, double peakHeapMib, double liveHeapMib, double residentMib) {
    double seconds() {
      return report.path("task-seconds").asDouble();
    }

    /** What the task's core did and waited for; what came before its first row is not in it. */
    double workingSeconds() {
      double sum = 0;
      for (JsonNode stage : report.path("stages")) {
        sum += stage.path("busy-seconds").asDouble();
      }
      return sum;
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
    var unused = chainSeconds(photos);
    for (int round = 0; round < ROUNDS; round++) {
      double chain = photos.size() / chainSeconds(photos);
      add("", "bare chain, warm", chain, "samples/s");
      show("S3", chain, submit("s3://bench", "s3://bench", work.resolve("s3/bench"), round));
      if (Files.isDirectory(MEMORY)) {
        Path output = Files.createTempDirectory(MEMORY, "stoker-bench-");
        try {
          show("memory", chain, submit(data.toString(), output.toString(), output, round));
        } finally {
          delete(output);
        }
      }
    }
    figures.forEach(
        (figure, values) ->
            table.add(figure.name, figure.figure, Interleaved.median(values), figure.unit));
    table.write();
  }

  private void show(String store, double chain, Run run) {
    String name = "job, store in " + store;
    double job = run.samples() / run.seconds();
    add(name, "samples/s/core", job, "samples/s");
    add(name, "samples/s/core / bare chain", job / chain, "x");
    double working = run.samples() / run.workingSeconds();
    add(name, "the same without executor start", working / chain, "x");
    add(name, "peak heap", run.peakHeapMib(), "MiB");
    add(name, "heap after collection", run.liveHeapMib(), "MiB");
    add(name, "peak resident memory", run.residentMib(), "MiB");
    run.report()
        .path("stages")
        .properties()
        .forEach(
            stage ->
                add(
                    name,
                    "share of " + stage.getKey(),
                    stage.getValue().path("share").asDouble(),
                    "x"));
  }

  private void add(String name, String figure, double value, String unit) {
    figures.computeIfAbsent(new Figure(name, figure, unit), key -> new ArrayList<>()).add(value);
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

  private Run submit(String input, String output, Path outputDirectory, int round)
      throws Exception {
    String name = "%s-%d".formatted(output.startsWith("s3:") ? "s3" : "memory", round);
    Path log = work.resolve("gc-%s.txt".formatted(name));
    Path printed = work.resolve("job-%s.txt".formatted(name));
    ProcessBuilder builder =
        new ProcessBuilder(
            top.resolve("scripts/submit").toString(),
            "--master",
            "local[1]",
            "--driver-memory",
            CORE_MIB + "m",
            "--conf",
            "spark.driver.extraJavaOptions=-Xlog:gc:file=" + log,
            "--",
            "--set",
            "input.manifests=" + input + "/manifest.jsonl",
            "--set",
            "output.path=" + output + "/dataset-" + round,
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
    Path dataset = outputDirectory.resolve("dataset-" + round);
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
