package io.stoker.preprocess.spark;

import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.SparkEnv;
import org.apache.spark.deploy.SparkHadoopUtil;

/** The Hadoop configuration as Spark's own settings make it, on the driver and in executors. */
final class HadoopConfiguration {
  private static final Map<String, String> DEFAULTS =
      Map.of(
          // Hadoop's default stream sends one more HEAD request for every object.
          "fs.s3a.input.stream.type", "classic",
          // Without these S3A looks for, and writes, directory markers that nobody needs.
          "fs.s3a.performance.flags", "create,delete,mkdir",
          // Hadoop's default writes what it uploads to a local disk first, in parts of 64 MB.
          "fs.s3a.fast.upload.buffer", "bytebuffer",
          "fs.s3a.multipart.size", "16M");

  /** The source of a value that neither the site nor the submission sets. */
  private static final String HADOOP_DEFAULTS = "core-default.xml";

  private HadoopConfiguration() {}

  /** The configuration of this process. */
  static Configuration get() {
    Configuration configuration = SparkHadoopUtil.get().newConfiguration(SparkEnv.get().conf());
    DEFAULTS.forEach(
        (key, value) -> {
          if (!isSet(configuration, key)) {
            configuration.set(key, value);
          }
        });
    return configuration;
  }

  /** Whether the site's files or the submission say something. */
  private static boolean isSet(Configuration configuration, String key) {
    String[] sources = configuration.getPropertySources(key);
    return sources != null && !sources[sources.length - 1].equals(HADOOP_DEFAULTS);
  }
}
