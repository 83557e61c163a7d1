package io.stoker.preprocess.spark;

import org.apache.spark.SparkConf;

/** What Spark's own settings must not be. */
final class SparkRules {
  private static final String SERIALIZER = "spark.serializer";

  private SparkRules() {}

  /** Refuses settings under which the job would fail later and less clearly. */
  static void check(SparkConf conf) throws JobException {
    String serializer = conf.get(SERIALIZER, "");
    if (serializer.contains("Kryo")) {
      throw new JobException(
          JobException.Kind.CONFIG,
          "%s: expected Spark's default, org.apache.spark.serializer.JavaSerializer, found %s, which cannot carry Java records: leave the key out"
              .formatted(SERIALIZER, serializer));
    }
  }
}
