package io.stoker.preprocess.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.stoker.preprocess.decode.DecodeSettings;
import io.stoker.preprocess.decode.Decoder;
import io.stoker.preprocess.decode.ImageHeader;
import io.stoker.preprocess.decode.ImageHeaders;
import io.stoker.preprocess.reject.SampleRejectedException;
import io.stoker.preprocess.vision.Grid;
import io.stoker.preprocess.vision.ImageProcessor;
import io.stoker.preprocess.vision.ResizeKernel;
import io.stoker.preprocess.vision.SimdPath;
import io.stoker.preprocess.vision.VisionSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.bytedeco.opencv.global.opencv_core;

/**
 * Compares the whole job on one core with the bare image chain, in wall time. The job is submitted
 * as users do it; the chain runs over the same pictures before and after it.
 *
 * <p>One run has its store on an S3 server of loopback, which uses the machine's other core
 * together with uploads and fetches. Another run has it in a file system in memory, which shows
 * what the job itself costs.
 *
 * <p>The job's time is that of its tasks. It contains the warm-up of its JVM, which the chain had
 * before, but not the start of Spark. The first task loads the model and the native libraries, and
 * its code is compiled meanwhile; the other tasks show how an executor goes on.
 */
final class JobBenchmark {
  private static final int ROUNDS = Effort.of(2, 1);
  private static final int PARTITION_ROWS = Effort.of(2048, 32);
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
  private final ProcessHandle server;
  private final BenchTable table = new BenchTable("job");
  private final Map<Figure, List<Double>> figures = new LinkedHashMap<>();

  private record Figure(String name, String figure, String unit) {}

  /** What one submission showed. */
  private record Run(
      JsonNode report,
      double laterRate,
      double peakHeapMib,
      double liveHeapMib,
      double residentMib,
      double jobCpuSeconds,
      double serverCpuSeconds) {
    int samples() {
      return report.path("samples").asInt();
    }

    double rate() {
      return samples() / report.path("task-seconds").asDouble();
    }
  }

  private JobBenchmark(Path top, Path data, Path work, ProcessHandle server) {
    this.top = top;
    this.data = data;
    this.work = work;
    this.server = server;
  }

  /**
   * Arguments: the project's directory, the photographs' directory, a directory for what the runs
   * leave, the process id of the S3 server. The photographs are in its bucket {@code bench} too.
   */
  public static void main(String[] args) throws Exception {
    ProcessHandle server = ProcessHandle.of(Long.parseLong(args[3])).orElseThrow();
    new JobBenchmark(Path.of(args[0]), Path.of(args[1]), Path.of(args[2]), server).run();
  }

  private void run() throws Exception {
    opencv_core.setNumThreads(1);
    List<byte[]> photos = photos();
    var unused = chainRate(photos);
    double before = chainRate(photos);
    for (int round = 0; round < ROUNDS; round++) {
      Run run = submit("s3://bench", "s3://bench", work.resolve("s3/bench"), round);
      double after = chainRate(photos);
      show("S3", (before + after) / 2, run);
      before = after;
      if (Files.isDirectory(MEMORY)) {
        Path output = Files.createTempDirectory(MEMORY, "stoker-bench-");
        try {
          run = submit(data.toString(), output.toString(), output, round);
        } finally {
          delete(output);
        }
        after = chainRate(photos);
        show("memory", (before + after) / 2, run);
        before = after;
      }
    }
    figures.forEach(
        (figure, values) ->
            table.add(figure.name, figure.figure, Interleaved.median(values), figure.unit));
    table.write();
  }

  private void show(String store, double chain, Run run) {
    String name = "job, store in " + store;
    add(name, "bare chain beside it", chain, "samples/s");
    add(name, "samples/s/core", run.rate(), "samples/s");
    add(name, "samples/s/core / bare chain", run.rate() / chain, "x");
    add(name, "the same of the tasks after the first", run.laterRate() / chain, "x");
    add(name, "processor time, job", 1e3 * run.jobCpuSeconds() / run.samples(), "ms/sample");
    add(name, "processor time, server", 1e3 * run.serverCpuSeconds() / run.samples(), "ms/sample");
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

  private static double chainRate(List<byte[]> photos) throws SampleRejectedException {
    VisionSettings settings =
        new VisionSettings(65_536, MAX_PIXELS, 16, 2, 2, HALF, HALF, ResizeKernel.TORCH);
    ImageProcessor processor = new ImageProcessor(settings, SimdPath.AUTO);
    byte[] out = new byte[MAX_PIXELS * 3];
    long start = System.nanoTime();
    try (Decoder decoder = new Decoder(DecodeSettings.defaults())) {
      for (byte[] photo : photos) {
        ImageHeader header = ImageHeaders.read(photo, DecodeSettings.defaults());
        Grid grid = processor.grid(header.displayedHeight(), header.displayedWidth());
        processor.patches(decoder.decode(photo, header), grid, out, 0);
      }
    }
    return photos.size() * 1e9 / (System.nanoTime() - start);
  }

  private Run submit(String input, String output, Path outputDirectory, int round)
      throws Exception {
    String name = "%s-%d".formatted(output.startsWith("s3:") ? "s3" : "memory", round);
    Path log = work.resolve("gc-%s.txt".formatted(name));
    Path printed = work.resolve("job-%s.txt".formatted(name));
    Path events = Files.createDirectories(work.resolve("events-" + name));
    ProcessBuilder builder =
        new ProcessBuilder(
            top.resolve("scripts/submit").toString(),
            "--master",
            "local[1]",
            "--driver-memory",
            CORE_MIB + "m",
            "--conf",
            "spark.driver.extraJavaOptions=-Xlog:gc:file=" + log,
            "--conf",
            "spark.eventLog.enabled=true",
            "--conf",
            "spark.eventLog.rolling.enabled=false",
            "--conf",
            "spark.eventLog.compress=false",
            "--conf",
            "spark.eventLog.dir=" + events.toUri(),
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
            "shuffle.partition-rows=" + PARTITION_ROWS,
            "--set",
            "progress.interval=0s");
    Process process = builder.redirectErrorStream(true).redirectOutput(printed.toFile()).start();
    double resident = 0;
    double jobCpu = 0;
    double serverCpu = cpuSeconds(server);
    while (process.isAlive()) {
      resident = Math.max(resident, residentMib(process.pid()));
      jobCpu = Math.max(jobCpu, cpuSeconds(process.toHandle()));
      Thread.sleep(200);
    }
    serverCpu = cpuSeconds(server) - serverCpu;
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
    return new Run(report, laterRate(events), peak, live, resident, jobCpu, serverCpu);
  }

  /** Processor time of a process and of those that it started and that are still running. */
  private static double cpuSeconds(ProcessHandle process) {
    return Stream.concat(Stream.of(process), process.descendants())
        .flatMap(one -> one.info().totalCpuDuration().stream())
        .mapToDouble(cpu -> cpu.toNanos() / 1e9)
        .sum();
  }

  /** Samples per second from the end of the first task that made samples to that of the last. */
  private static double laterRate(Path events) throws IOException {
    List<JsonNode> tasks = new ArrayList<>();
    try (Stream<Path> logs = Files.list(events)) {
      for (String line : Files.readAllLines(logs.findFirst().orElseThrow())) {
        if (line.contains("\"SparkListenerTaskEnd\"")) {
          tasks.add(new ObjectMapper().readTree(line).path("Task Info"));
        }
      }
    }
    tasks.removeIf(task -> samples(task) == 0);
    tasks.sort(Comparator.comparingLong(JobBenchmark::finish));
    long samples = tasks.stream().skip(1).mapToLong(JobBenchmark::samples).sum();
    return samples * 1e3 / (finish(tasks.get(tasks.size() - 1)) - finish(tasks.get(0)));
  }

  private static long finish(JsonNode task) {
    return task.path("Finish Time").asLong();
  }

  private static long samples(JsonNode task) {
    for (JsonNode counter : task.path("Accumulables")) {
      if (counter.path("Name").asText().equals("stoker samples written")) {
        return counter.path("Update").asLong();
      }
    }
    return 0;
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
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
