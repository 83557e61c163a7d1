package io.stoker.preprocess.it;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.stoker.preprocess.it.Processes.Ended;
import io.stoker.preprocess.it.Processes.Started;
import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.launcher.JavaModuleOptions;

/**
 * One call of {@code scripts/submit}, with settings under which the examples fill a few shards. Or,
 * {@linkplain #direct}, of the driver's main class, where the script adds only seconds.
 */
final class Submission {
  private static final Duration TIMEOUT = Duration.ofMinutes(8);

  private final Processes processes;
  private final Map<String, String> settings = new TreeMap<>();
  private final Map<String, String> environment = new LinkedHashMap<>();
  private final List<String> sparkOptions = new ArrayList<>();
  private final List<String> wrapper = new ArrayList<>();
  private String javaOptions = "";
  private boolean direct;

  Submission(Processes processes) {
    this.processes = processes;
    settings.put("text.template", "qwen3-vl-instruct");
    settings.put("pack.max-tokens", "1100");
    settings.put("block.bytes", "1m");
    settings.put("shard.max-bytes", "4m");
    settings.put("shuffle.partition-rows", "8");
    settings.put("manifest.split-bytes", "1k");
    settings.put("progress.interval", "0s");
  }

  Submission input(String root) {
    return set("input.manifests", Lab.manifests(root)).set("model.path", root + "/model");
  }

  Submission output(String path) {
    return set("output.path", path);
  }

  Submission set(String key, String value) {
    settings.put(key, value);
    return this;
  }

  Submission unset(String key) {
    settings.remove(key);
    return this;
  }

  Submission master(String master) {
    return spark("--master", master);
  }

  /** Options of spark-submit. */
  Submission spark(String... options) {
    sparkOptions.addAll(List.of(options));
    return this;
  }

  /** Flags of the driver's JVM. */
  Submission java(String... flags) {
    javaOptions = (javaOptions + " " + String.join(" ", flags)).strip();
    return this;
  }

  /**
   * Halves the processor time of a job as small as these: neither the second compiler nor the
   * vector kernels, which are slow without it.
   */
  Submission quick() {
    return java("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC").set("vision.simd", "plain");
  }

  Submission environment(Map<String, String> variables) {
    environment.putAll(variables);
    return this;
  }

  /** Runs it in a network namespace of its own, with loopback up. */
  Submission withoutNetwork() {
    wrapper.addAll(
        List.of(
            "unshare",
            "--net",
            "--map-root-user",
            "sh",
            "-c",
            "ip link set lo up && exec \"$@\"",
            "sh"));
    return this;
  }

  /** Without the script: the driver in a JVM of its own. For local masters. */
  Submission direct() {
    direct = true;
    return environment(
        Map.of("LC_ALL", "C.UTF-8", "OPENCV_LOG_LEVEL", "SILENT", "SPARK_LOCAL_IP", "127.0.0.1"));
  }

  private List<String> command() {
    List<String> command = new ArrayList<>();
    if (direct) {
      command.addAll(driver());
    } else {
      command.addAll(wrapper);
      command.add(Lab.TOP.resolve("scripts/submit").toString());
      command.addAll(sparkOptions);
      if (!javaOptions.isEmpty()) {
        command.add("--conf");
        command.add("spark.driver.extraJavaOptions=" + javaOptions);
      }
      command.add("--");
    }
    settings.forEach((key, value) -> command.addAll(List.of("--set", key + "=" + value)));
    return command;
  }

  private List<String> driver() {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx1g");
    command.addAll(List.of(JavaModuleOptions.defaultModuleOptionArray()));
    command.addAll(List.of("-Dfile.encoding=UTF-8", "-Dai.djl.offline=true"));
    command.add(
        "-Dlog4j2.configurationFile=" + Lab.TOP.resolve("conf").resolve("log4j2.properties"));
    command.addAll(
        List.of(
            "-Dspark.driver.host=127.0.0.1",
            "-Dspark.driver.bindAddress=127.0.0.1",
            "-Dspark.ui.enabled=false"));
    for (int i = 0; i < sparkOptions.size(); i += 2) {
      String value = sparkOptions.get(i + 1);
      command.add(
          sparkOptions.get(i).equals("--master") ? "-Dspark.master=" + value : "-D" + value);
    }
    command.addAll(List.of(javaOptions.split(" ")));
    command.add("-cp");
    command.add(Lab.jobJar() + File.pathSeparator + Lab.SPARK_HOME.resolve("jars") + "/*");
    command.add("io.stoker.preprocess.PreprocessMain");
    return command;
  }

  Started start() {
    return processes.start(command(), environment);
  }

  Ended run() {
    return processes.run(command(), environment, TIMEOUT);
  }

  Ended runExpecting(int exitCode) {
    Ended ended = run();
    assertEquals(exitCode, ended.exitCode(), ended::toString);
    return ended;
  }
}
