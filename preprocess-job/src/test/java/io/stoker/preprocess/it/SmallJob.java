package io.stoker.preprocess.it;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.stoker.preprocess.config.ConfigException;
import io.stoker.preprocess.config.PreprocessConfig;
import io.stoker.preprocess.it.CountingRelay.Exchange;
import io.stoker.preprocess.spark.JobException;
import io.stoker.preprocess.spark.PreprocessJob;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;

/** A job of a few samples in this JVM, whose every store call goes through a relay. */
final class SmallJob implements AutoCloseable {
  static final int SAMPLES = 3;

  /** What tests with such a job lock: a JVM has one Spark at a time. */
  static final String SPARK = "spark";

  /** One image is not there: its sample is rejected. */
  private static final int ROWS = SAMPLES + 1;

  private static final List<String> IMAGES =
      List.of("table/coffee.jpg", "sky/moon.jpg", "texture/brick.png");

  private final Path bucketDirectory;
  private final Path model;
  private final String bucket;
  private final FaultScript script = new FaultScript();
  private final CountingRelay relay;
  private final JavaSparkContext spark;

  SmallJob(Lab lab, String bucket, Map<String, String> store) throws IOException {
    this.bucket = bucket;
    Path tree = lab.path("tree-" + bucket);
    StringBuilder manifest = new StringBuilder();
    Files.createDirectories(tree);
    for (int i = 0; i < ROWS; i++) {
      if (i < SAMPLES) {
        Files.copy(Lab.EXAMPLES.resolve("images").resolve(IMAGES.get(i)), tree.resolve("i" + i));
      }
      manifest.append(
          "{\"id\":\"s%d\",\"image\":\"i%d\",\"question\":\"What?\",\"answer\":\"This.\"}%n"
              .formatted(i, i));
    }
    Files.writeString(tree.resolve("m.jsonl"), manifest);
    lab.server().upload(tree, bucket, "in");
    this.model = lab.path("model-" + bucket);
    writeModel(model);
    this.bucketDirectory = lab.server().bucket(bucket);
    this.relay = CountingRelay.start(lab.server().port(), script);
    SparkConf conf =
        new SparkConf()
            .setMaster("local[1]")
            .setAppName("small")
            .set("spark.ui.enabled", "false")
            .set("spark.driver.host", "127.0.0.1")
            .set("spark.driver.bindAddress", "127.0.0.1");
    FetchBench.configuration(relay.port())
        .iterator()
        .forEachRemaining(
            entry -> {
              if (entry.getKey().startsWith("fs.s3a.")) {
                conf.set("spark.hadoop." + entry.getKey(), entry.getValue());
              }
            });
    store.forEach((key, value) -> conf.set("spark.hadoop." + key, value));
    this.spark = new JavaSparkContext(conf);
    spark.setLogLevel("ERROR");
  }

  /** The example model with a vocabulary of single bytes: it loads in no time. */
  private static void writeModel(Path model) throws IOException {
    Lab.copyTree(Lab.EXAMPLES.resolve("model"), model);
    Path file = model.resolve("tokenizer.json");
    ObjectMapper mapper = new ObjectMapper();
    JsonNode tokenizer = mapper.readTree(file.toFile());
    ObjectNode parts = (ObjectNode) tokenizer.path("model");
    ObjectNode bytes = mapper.createObjectNode();
    for (var entry : parts.path("vocab").properties()) {
      if (entry.getKey().codePointCount(0, entry.getKey().length()) == 1) {
        bytes.set(entry.getKey(), entry.getValue());
      }
    }
    parts.set("vocab", bytes);
    parts.putArray("merges");
    mapper.writeValue(file.toFile(), tokenizer);
  }

  FaultScript script() {
    return script;
  }

  List<Exchange> exchanges() {
    return relay.exchanges();
  }

  /** Where the dataset of this name lies on the server's disk. */
  Path output(String name) {
    return bucketDirectory.resolve("out").resolve(name);
  }

  void run(String output, Map<String, String> settings)
      throws ConfigException, IOException, JobException {
    Map<String, String> values = new TreeMap<>();
    values.put("input.manifests", "s3://" + bucket + "/in/m.jsonl");
    values.put("output.path", "s3://" + bucket + "/out/" + output);
    values.put("model.path", model.toString());
    values.put("text.template", "qwen3-vl-instruct");
    values.put("vision.simd", "plain");
    values.put("progress.interval", "0s");
    values.putAll(settings);
    PrintStream nowhere =
        new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    var unused = new PreprocessJob(PreprocessConfig.parse(values), spark, nowhere).run();
  }

  @Override
  public void close() throws IOException {
    spark.close();
    relay.close();
  }
}
