package io.stoker.preprocess.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a job that is killed in the middle of an upload leaves on S3. */
@ExtendWith(Lab.Resolver.class)
class AbandonedUploadIT {
  private static final String BUCKET = "abandoned";

  private final Lab lab;

  AbandonedUploadIT(Lab lab) {
    this.lab = lab;
  }

  @Test
  void isListedAndAbortedByClean() throws IOException {
    Files.createDirectories(lab.server().bucket(BUCKET));
    String output = "s3://%s/set".formatted(BUCKET);
    lab.submission("abandoned")
        .output(output)
        .quick()
        .direct()
        .master("local[1]")
        .environment(S3Server.CREDENTIALS)
        .spark(lab.server().sparkOptions())
        // One long shard: its first part is under way when the process dies.
        .set("shuffle.partition-rows", "100")
        .set("shard.max-bytes", "512m")
        .java("-Dstoker.crash-point=in-shard:5")
        .runExpecting(137);
    // Clean asks from the future, because the test server says that every upload began just now.
    Map<String, String> conf = lab.s3Environment(lab.server().port());
    List<String> listed = lab.clean(conf, output, "--older-than=-1h").stdout().lines().toList();
    assertTrue(
        listed.stream().anyMatch(line -> line.contains("  pending upload  set/shards/")),
        listed::toString);
    lab.clean(conf, output, "--older-than=-1h", "--delete");
    assertEquals(
        List.of(
            "0 orphans, 0 bytes, and 0 pending uploads: there is no object at s3a://abandoned/set"),
        lab.clean(conf, output, "--older-than=-1h").stdout().lines().toList());
  }
}
