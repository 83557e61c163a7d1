package io.stoker.preprocess.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.apache.spark.SparkConf;
import org.apache.spark.internal.config.ConfigEntry;
import org.junit.jupiter.api.Test;

class SparkRulesTest {
  @Test
  void kryoIsRefusedByName() {
    SparkConf conf = new SparkConf(false);
    conf.set("spark.serializer", "org.apache.spark.serializer.KryoSerializer");
    JobException e = assertThrows(JobException.class, () -> SparkRules.check(conf));
    assertEquals(JobException.Kind.CONFIG, e.kind());
    assertEquals(
        "spark.serializer: expected Spark's default, org.apache.spark.serializer.JavaSerializer,"
            + " found org.apache.spark.serializer.KryoSerializer, which cannot carry Java records:"
            + " leave the key out",
        e.getMessage());
  }

  @Test
  void theDefaultIsFine() throws JobException {
    SparkConf conf = new SparkConf(false);
    SparkRules.check(conf);
    SparkRules.check(conf.set("spark.serializer", "org.apache.spark.serializer.JavaSerializer"));
  }

  @Test
  void tasksDoNotWaitForTheHostOfTheirRows() {
    String key = "spark.shuffle.reduceLocality.enabled";
    assertEquals("false", SparkRules.defaults(new SparkConf(false)).get(key));
    assertEquals("true", SparkRules.defaults(new SparkConf(false).set(key, "true")).get(key));
    assertNotNull(org.apache.spark.internal.config.package$.MODULE$);
    assertNotNull(ConfigEntry.findEntry(key), "Spark still has the setting");
  }
}
