package io.stoker.preprocess.spark;

import org.apache.spark.SparkConf;

/** What Spark's own settings are, unless somebody says otherwise, and what they must not be. */
public final class SparkRules {
  private static final String SERIALIZER = "spark.serializer";

  private SparkRules() {}

  /** Completes Spark's settings by what suits the job. */
  public static SparkConf defaults(SparkConf conf) {
    // A task's rows are small and its images are not. It must not wait for a core on the host that
    // read most of its rows while a core elsewhere is free.
    return conf.setIfMissing("spark.app.name", "stoker")
        .setIfMissing("spark.shuffle.reduceLocality.enabled", "false");
  }

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
