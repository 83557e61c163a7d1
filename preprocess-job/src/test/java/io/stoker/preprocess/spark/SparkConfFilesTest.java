package io.stoker.preprocess.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.SparkConf;
import org.apache.spark.internal.config.ConfigEntry;
import org.apache.spark.util.Utils;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import scala.jdk.javaapi.CollectionConverters;

/** The files for production in {@code conf/}. */
class SparkConfFilesTest {
  private static final Path CONF = Path.of("..", "conf");

  /** What the README says a row that kills its executor needs before it is given up. */
  private static final int LEAST_FAILURES = 4;

  @BeforeAll
  static void sparkKnowsItsSettings() {
    assertNotNull(org.apache.spark.internal.config.package$.MODULE$);
  }

  private static SparkConf read(String name) {
    SparkConf conf = new SparkConf(false);
    CollectionConverters.asJava(Utils.getPropertiesFromFile(CONF.resolve(name).toString()))
        .forEach(conf::set);
    return conf;
  }

  @ParameterizedTest
  @ValueSource(strings = {"spark-standalone.conf", "spark-yarn.conf", "spark-kubernetes.conf"})
  void sparkTakesEverySetting(String name) throws JobException {
    SparkConf conf = read(name);
    SparkRules.check(conf);
    for (scala.Tuple2<String, String> setting : conf.getAll()) {
      // Those of the cluster managers are in jars that are not here.
      if (!setting._1().matches("spark\\.(yarn|kubernetes|hadoop)\\..*")) {
        ConfigEntry<?> entry = ConfigEntry.findEntry(setting._1());
        assertNotNull(entry, setting._1());
        assertNotNull(conf.get(entry), setting::toString);
      }
    }
    assertTrue(conf.getInt("spark.task.maxFailures", 0) >= LEAST_FAILURES);
    assertTrue(conf.getInt("spark.executor.cores", 0) > 0, "executors of a few cores");
  }

  @ParameterizedTest
  @ValueSource(strings = {"spark-standalone.conf", "spark-yarn.conf", "spark-kubernetes.conf"})
  void aLineAboveSaysWhatASettingIsFor(String name) throws IOException {
    List<String> lines = Files.readAllLines(CONF.resolve(name));
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i).startsWith("spark.")) {
        assertTrue(lines.get(i - 1).startsWith("# "), lines.get(i));
      }
    }
  }

  @Test
  void executorsOfAJobAreSpreadOverHosts() throws IOException {
    assertEquals(
        "conf/executor-pod.yaml",
        read("spark-kubernetes.conf").get("spark.kubernetes.executor.podTemplateFile"));
    JsonNode spec =
        new YAMLMapper().readTree(CONF.resolve("executor-pod.yaml").toFile()).path("spec");
    JsonNode spread = spec.path("topologySpreadConstraints").path(0);
    assertEquals("kubernetes.io/hostname", spread.path("topologyKey").asText());
    assertEquals(
        "executor", spread.path("labelSelector").path("matchLabels").path("spark-role").asText());
    assertEquals(
        spec.path("containers").path(0).path("name").asText(),
        read("spark-kubernetes.conf").get("spark.kubernetes.executor.podTemplateContainerName"));
  }
}
