package io.stoker.preprocess.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * What all integration tests of a run share: a directory of its own, the processes, one S3 server,
 * and datasets that more than one test looks at. Ends and removes everything with the last test.
 */
final class Lab implements AutoCloseable {
  /** The project's top directory; Maven runs tests in their module's. */
  static final Path TOP = Path.of("..").toAbsolutePath().normalize();

  static final Path EXAMPLES = TOP.resolve("examples");
  static final Path SPARK_HOME = TOP.resolve("scripts/runtime/spark/target/spark");
  private static final List<String> MANIFESTS =
      List.of("vqa.jsonl", "chat.jsonl", "sharegpt.jsonl");

  private final Path directory;
  private final Processes processes;
  private final Map<String, DatasetFiles> datasets = new ConcurrentHashMap<>();
  private volatile @org.jspecify.annotations.Nullable S3Server server;
  private volatile @org.jspecify.annotations.Nullable Cluster cluster;

  private Lab() {
    try {
      this.directory = Files.createTempDirectory(Path.of("target").toAbsolutePath(), "it-");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    this.processes = new Processes(directory);
  }

  /** Gives test classes the lab that they ask for. */
  static final class Resolver implements ParameterResolver {
    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
      return parameter.getParameter().getType() == Lab.class;
    }

    @Override
    public Lab resolveParameter(ParameterContext parameter, ExtensionContext context) {
      return context
          .getRoot()
          .getStore(Namespace.create(Lab.class))
          .getOrComputeIfAbsent(Lab.class, key -> new Lab(), Lab.class);
    }
  }

  Processes processes() {
    return processes;
  }

  /** A path that no other test uses. */
  Path path(String name) {
    return directory.resolve(name);
  }

  /** The S3 server, started when it is first asked for. */
  synchronized S3Server server() {
    S3Server running = server;
    if (running == null) {
      running =
          S3Server.start(processes, TOP.resolve("scripts/s3-server"), directory.resolve("s3"));
      server = running;
    }
    return running;
  }

  /** The Spark cluster, started when it is first asked for. */
  synchronized Cluster cluster() {
    Cluster running = cluster;
    if (running == null) {
      running = Cluster.start(this);
      cluster = running;
    }
    return running;
  }

  /** {@code scripts/stoker clean}: what it prints, or fails. */
  Processes.Ended clean(String... arguments) {
    return clean(Map.of(), arguments);
  }

  /** The same in an environment. */
  Processes.Ended clean(Map<String, String> environment, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(TOP.resolve("scripts/stoker").toString());
    command.add("clean");
    command.addAll(List.of(arguments));
    Processes.Ended ended = processes.run(command, environment, Duration.ofMinutes(1));
    org.junit.jupiter.api.Assertions.assertEquals(0, ended.exitCode(), ended::toString);
    return ended;
  }

  /**
   * The environment of a process that uses the S3 server through a port: credentials, and the
   * store's settings as a site keeps them. Shards are long enough for several parts here.
   */
  Map<String, String> s3Environment(int port) throws IOException {
    StringBuilder xml = new StringBuilder("<configuration>\n");
    S3Server.settings(port)
        .forEach(
            (key, value) ->
                xml.append(
                    "<property><name>%s</name><value>%s</value></property>%n"
                        .formatted(key, value)));
    Path conf = Files.createDirectories(path("hadoop-conf-" + port));
    Files.writeString(conf.resolve("core-site.xml"), xml.append("</configuration>\n"));
    Map<String, String> environment = new TreeMap<>(S3Server.CREDENTIALS);
    environment.put("HADOOP_CONF_DIR", conf.toString());
    return environment;
  }

  /** A submission of the examples from the checkout to a directory of this name. */
  Submission submission(String output) {
    return new Submission(processes).input(EXAMPLES.toString()).output(path(output).toString());
  }

  /**
   * The dataset that others are held against: one core, all defaults but for lengths that make a
   * few shards and blocks out of the examples. Made once.
   */
  DatasetFiles reference() {
    return dataset("reference", submission("reference").master("local[1]"));
  }

  /**
   * The dataset of this name in {@link #path}; the submission makes it when it is first asked for.
   */
  DatasetFiles dataset(String name, Submission submission) {
    return datasets.computeIfAbsent(
        name,
        key -> {
          submission.runExpecting(0);
          return DatasetFiles.at(path(key));
        });
  }

  /** URIs or paths of the example manifests under a root. */
  static String manifests(String root) {
    return String.join(",", MANIFESTS.stream().map(name -> root + "/" + name).toList());
  }

  /** The shaded jar that is submitted. */
  static Path jobJar() {
    try (Stream<Path> files = Files.list(TOP.resolve("preprocess-job/target"))) {
      return files
          .filter(file -> file.getFileName().toString().endsWith("-job.jar"))
          .findFirst()
          .orElseThrow();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Copies a directory tree. */
  static void copyTree(Path from, Path to) throws IOException {
    try (Stream<Path> tree = Files.walk(from)) {
      for (Path source : tree.toList()) {
        Files.createDirectories(to);
        Path target = to.resolve(from.relativize(source).toString());
        if (Files.isDirectory(source)) {
          Files.createDirectories(target);
        } else {
          Files.copy(source, target);
        }
      }
    }
  }

  @Override
  public void close() throws IOException {
    processes.close();
    try (Stream<Path> tree = Files.walk(directory)) {
      for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }
}
