package io.stoker.preprocess.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.stoker.preprocess.it.CountingRelay.Exchange;
import io.stoker.preprocess.spark.JobException;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Shards of several parts in a store that fails while they are written. */
@ExtendWith(Lab.Resolver.class)
@ResourceLock(SmallJob.SPARK)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WriteFaultsIT {
  private static final String BUCKET = "writing";

  /** Eight times the bytes, so that a shard of these few samples has several parts. */
  static final Map<String, String> LARGE =
      Map.of("pixels.encoding", "float32", "pixels.temporal", "duplicated");

  private final Lab lab;
  private @org.jspecify.annotations.Nullable SmallJob opened;

  WriteFaultsIT(Lab lab) {
    this.lab = lab;
  }

  @BeforeAll
  void undisturbed() throws Exception {
    SmallJob job =
        new SmallJob(
            lab,
            BUCKET,
            Map.of("fs.s3a.multipart.size", "5242880", "fs.s3a.retry.interval", "10ms"));
    opened = job;
    job.run("undisturbed", LARGE);
    List<Exchange> parts =
        job.exchanges().stream().filter(e -> e.path().contains("partNumber=")).toList();
    assertTrue(parts.size() > 1, () -> job.exchanges().toString());
  }

  @AfterAll
  void close() throws IOException {
    job().close();
  }

  private SmallJob job() {
    return java.util.Objects.requireNonNull(opened);
  }

  static Stream<Arguments> faults() {
    String part = "PUT /writing/.*partNumber=2";
    String complete = "POST /writing/.*uploadId=";
    return Stream.of(
        Arguments.of("part-500", part, Fault.answer(500, "InternalError")),
        Arguments.of("part-503", part, Fault.answer(503, "SlowDown")),
        Arguments.of("part-reset", part, new Fault.Reset()),
        Arguments.of("part-lost", part, new Fault.Lost()),
        Arguments.of("complete-500", complete, Fault.answer(500, "InternalError")),
        Arguments.of("complete-200-error", complete, Fault.answer(200, "InternalError")),
        Arguments.of("complete-lost", complete, new Fault.Lost()),
        Arguments.of(
            "initiate-500", "POST /writing/.*uploads", Fault.answer(500, "InternalError")));
  }

  @ParameterizedTest
  @MethodSource("faults")
  void oneFaultLeavesTheSameBytes(String name, String request, Fault fault) throws Exception {
    job().script().clear();
    job().script().first(1, request, fault);
    job().run(name, LARGE);
    DatasetFiles.at(job().output(name)).assertSameAs(DatasetFiles.at(job().output("undisturbed")));
  }

  @Test
  void aStoreThatReplacesWhatItMustNotIsRefusedAtTheStart() {
    job().script().clear();
    // A server that does not know If-None-Match would answer so.
    job().script().on("PUT /writing/out/blind/_probe-", n -> n > 1, Fault.answer(200, "Ignored"));
    JobException e = assertThrows(JobException.class, () -> job().run("blind", Map.of()));
    assertEquals(9, e.kind().exitCode(), e::getMessage);
    assertTrue(String.valueOf(e.getMessage()).contains("If-None-Match"), e.getMessage());
    assertFalse(Files.exists(job().output("blind").resolve("dataset.json")));
  }

  @Test
  void anOutputThatMayNotBeWrittenIsNoticedBeforeTheWork() {
    job().script().clear();
    job().script().always("PUT /writing/out/denied/", Fault.answer(403, "AccessDenied"));
    long before = imageFetches();
    JobException e = assertThrows(JobException.class, () -> job().run("denied", Map.of()));
    assertEquals(9, e.kind().exitCode(), e::getMessage);
    assertEquals(before, imageFetches());
  }

  private long imageFetches() {
    return job().exchanges().stream().filter(e -> e.path().contains("/in/i")).count();
  }

  @Test
  void aPermanentErrorPublishesNothing() {
    job().script().clear();
    job().script().always("GET /writing/in/i1", Fault.answer(500, "InternalError"));
    JobException e =
        assertThrows(JobException.class, () -> job().run("broken", Map.of("fetch.attempts", "2")));
    assertEquals(1, e.kind().exitCode());
    assertTrue(String.valueOf(e.getMessage()).contains("s3a://writing/in/i1"), e.getMessage());
    assertFalse(Files.exists(job().output("broken").resolve("dataset.json")));
  }
}
