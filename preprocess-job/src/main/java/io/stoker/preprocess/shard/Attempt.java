package io.stoker.preprocess.shard;

import java.io.Serializable;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * One attempt at one partition: what makes the names of its objects unique.
 *
 * @param jobId unique to the submission
 * @param partition index of the partition
 * @param attempt unique among the attempts at tasks of the job
 */
public record Attempt(String jobId, int partition, long attempt) implements Serializable {
  private static final int PREFIXES = 256;
  private static final String STEM = "[^/]+-p[0-9]{6,}-a[0-9]+";
  private static final Pattern SHARD =
      Pattern.compile("shards/[0-9a-f]{2}/" + STEM + "-[0-9]{3,}\\.arrow");
  private static final Pattern REJECTS = Pattern.compile("rejects/" + STEM + "\\.jsonl");

  /** Whether an object has a name that {@link #shardName} gives. */
  public static boolean isShard(String name) {
    return SHARD.matcher(name).matches();
  }

  /** Whether an object has a name that {@link #rejectsName} gives. */
  public static boolean isRejects(String name) {
    return REJECTS.matcher(name).matches();
  }

  /** Name of the n-th shard. The leading hash spreads the load over prefixes of the store. */
  public String shardName(int n) {
    int prefix = Math.floorMod(31 * partition + n, PREFIXES);
    return String.format(Locale.ROOT, "shards/%02x/%s-%03d.arrow", prefix, stem(), n);
  }

  /** Name of the object with the rejected rows. */
  public String rejectsName() {
    return "rejects/%s.jsonl".formatted(stem());
  }

  private String stem() {
    return String.format(Locale.ROOT, "%s-p%06d-a%d", jobId, partition, attempt);
  }
}
