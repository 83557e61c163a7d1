package io.stoker.preprocess.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.stoker.preprocess.it.CountingRelay.Exchange;
import io.stoker.preprocess.spark.JobException;
import io.stoker.preprocess.store.OutputStore;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceLock;

/** What a failed task leaves of an upload that was under way beside it. */
@ExtendWith(Lab.Resolver.class)
@ResourceLock(SmallJob.SPARK)
class FailedTaskUploadIT {
  private final Lab lab;

  FailedTaskUploadIT(Lab lab) {
    this.lab = lab;
  }

  /**
   * An upload that is interrupted while it is completed would stay: the client asks the store to
   * abort it, but not with a thread that is interrupted.
   */
  @Test
  void aTaskThatFailsWhileAShardIsCompletedLeavesNoUpload() throws Exception {
    String bucket = "completing";
    Map<String, String> store =
        Map.of(
            "fs.s3a.multipart.size", "5242880",
            "fs.s3a.attempts.maximum", "1",
            "fs.s3a.retry.interval", "1500ms");
    // Each sample is a shard of two parts. It is fetched when the one before was handed on.
    Map<String, String> settings = new HashMap<>(WriteFaultsIT.LARGE);
    settings.putAll(
        Map.of(
            "pack.enabled", "false",
            "block.bytes", "1m",
            "shard.max-bytes", "5m",
            "fetch.window", "1",
            "fetch.attempts", "1"));
    try (SmallJob failing = new SmallJob(lab, bucket, store)) {
      String image = "GET /completing/in/i[0-2]$";
      failing.script().first(2, "POST .*uploadId=", Fault.answer(500, "InternalError"));
      failing.script().on(image, n -> n == 2, new Fault.Late(Duration.ofSeconds(1)));
      failing.script().on(image, n -> n == 2, Fault.answer(500, "Internal"));
      assertThrows(JobException.class, () -> failing.run("failing", settings));
      OutputStore output =
          new OutputStore(
              "s3a://%s/out/failing".formatted(bucket),
              FetchBench.configuration(lab.server().port()));
      assertEquals(
          List.of(), output.pendingUploads().olderThan(Instant.now().plus(Duration.ofHours(1))));
      List<Exchange> completions =
          failing.exchanges().stream()
              .filter(e -> e.method().equals("POST") && e.path().contains("uploadId="))
              .toList();
      assertTrue(completions.size() > 2, () -> "tried until it succeeded: " + completions);
    }
  }
}
