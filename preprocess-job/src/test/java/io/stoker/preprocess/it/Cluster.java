package io.stoker.preprocess.it;

import io.stoker.preprocess.it.Processes.Started;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A Spark cluster of its own on loopback: a master and two workers of one core each. Each worker
 * has an address of its own, because Spark starts no second attempt on a host that runs the first.
 */
final class Cluster {
  /** What tests with jobs on the cluster lock: it has a core for each of two executors. */
  static final String CORES = "cluster cores";

  static final List<String> WORKERS = List.of("worker-1", "worker-2");

  private static final Duration START = Duration.ofSeconds(60);
  private static final String MASTER = "127.0.0.1";

  private final Lab lab;
  private final int port = S3Server.freePort();

  private Cluster(Lab lab) {
    this.lab = lab;
  }

  static Cluster start(Lab lab) {
    Cluster cluster = new Cluster(lab);
    String port = Integer.toString(cluster.port);
    Started master = cluster.daemon("master.Master", MASTER, "--port", port, "--webui-port", "0");
    Processes.await(master, START, () -> S3Server.accepts(cluster.port));
    for (int i = 0; i < WORKERS.size(); i++) {
      Started worker =
          cluster.daemon(
              "worker.Worker",
              "127.0.0." + (i + 1),
              "--cores",
              "1",
              "--memory",
              "1g",
              "--webui-port",
              "0",
              "--work-dir",
              lab.path(WORKERS.get(i)).toString(),
              cluster.masterUrl());
      Processes.await(
          worker, START, () -> worker.printed().contains("Successfully registered with master"));
    }
    return cluster;
  }

  private String masterUrl() {
    return "spark://" + MASTER + ":" + port;
  }

  private Started daemon(String name, String host, String... arguments) {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                Lab.SPARK_HOME.resolve("jars") + "/*",
                "org.apache.spark.deploy." + name,
                "--host",
                host));
    command.addAll(List.of(arguments));
    return lab.processes()
        .start(
            command,
            Map.of(
                "SPARK_HOME",
                Lab.SPARK_HOME.toString(),
                "SPARK_SCALA_VERSION",
                "2.13",
                "SPARK_LOCAL_IP",
                host));
  }

  /** A submission to this cluster whose executors have these JVM flags. */
  Submission submission(String output, String... executorFlags) {
    return lab.submission(output)
        .quick()
        .master(masterUrl())
        .environment(Map.of("SPARK_LOCAL_IP", MASTER))
        .spark("--executor-cores", "1", "--executor-memory", "1g")
        .spark("--conf", "spark.driver.host=" + MASTER)
        .spark("--conf", "spark.ui.enabled=false")
        .spark(
            "--conf",
            "spark.executor.extraJavaOptions=-XX:TieredStopAtLevel=1 -XX:+UseSerialGC "
                + String.join(" ", executorFlags));
  }

  /** How many executors a worker has started. */
  long executors(String worker) throws IOException {
    Path directory = lab.path(worker);
    if (!Files.exists(directory)) {
      return 0;
    }
    try (Stream<Path> tree = Files.walk(directory)) {
      return tree.filter(path -> path.endsWith("stderr")).count();
    }
  }
}
