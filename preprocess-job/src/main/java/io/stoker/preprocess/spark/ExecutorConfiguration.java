package io.stoker.preprocess.spark;

import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.deploy.SparkHadoopUtil;

/** The Hadoop configuration as Spark's own settings make it, on the driver and in executors. */
final class ExecutorConfiguration {
  private static final Map<String, String> DEFAULTS =
      Map.of(
          // Hadoop's default stream sends a HEAD request more for every object.
          "fs.s3a.input.stream.type", "classic",
          // Without these S3A looks for, and writes, directory markers that nobody needs.
          "fs.s3a.performance.flags", "create,delete,mkdir");

  private ExecutorConfiguration() {}

  /** The configuration of this process. */
  static Configuration get() {
    SparkConf spark = SparkEnv.get().conf();
    Configuration configuration = SparkHadoopUtil.get().newConfiguration(spark);
    DEFAULTS.forEach(
        (key, value) -> {
          if (!spark.contains("spark.hadoop." + key)) {
            configuration.set(key, value);
          }
        });
    return configuration;
  }
}
