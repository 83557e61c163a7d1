package io.stoker.preprocess.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.stoker.preprocess.it.CountingRelay.Exchange;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * Every single call to the store fails once, in a job of its own. In other jobs, one call and all
 * after it fail.
 */
@ExtendWith(Lab.Resolver.class)
@ResourceLock(SmallJob.SPARK)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class NthCallIT {
  private static final String BUCKET = "nth";
  private static final String ALL = " /" + BUCKET;

  /** The fewest calls that a job can do with. A relay that counts fewer has missed some. */
  private static final int FEWEST = 10;

  private final Lab lab;
  private @org.jspecify.annotations.Nullable SmallJob opened;
  private int calls;

  NthCallIT(Lab lab) {
    this.lab = lab;
  }

  @BeforeAll
  void undisturbed() throws Exception {
    SmallJob job =
        new SmallJob(
            lab,
            BUCKET,
            Map.of(
                "fs.s3a.retry.interval", "10ms",
                "fs.s3a.retry.throttle.interval", "10ms"));
    opened = job;
    job.run("undisturbed", Map.of());
    calls = job.exchanges().size();
    System.out.println("calls of the undisturbed job: " + calls);
    assertTrue(calls >= FEWEST, () -> job.exchanges().toString());
    assertEquals(SmallJob.SAMPLES, reference().dataset().counts().samples());
  }

  @AfterAll
  void close() throws IOException {
    job().close();
  }

  private SmallJob job() {
    return java.util.Objects.requireNonNull(opened);
  }

  private DatasetFiles reference() {
    return DatasetFiles.at(job().output("undisturbed"));
  }

  /** A fault for the n-th call: every kind has its turn at every call over the tests below. */
  private void assertSurvives(String name, List<Fault> faults, int shift) throws Exception {
    for (int n = 1; n <= calls; n++) {
      int nth = n;
      Fault fault = faults.get((n + shift) % faults.size());
      job().script().clear();
      job().script().on(ALL, seen -> seen == nth, fault);
      String output = name + n;
      int before = job().exchanges().size();
      try {
        job().run(output, Map.of());
      } catch (Exception e) {
        List<Exchange> exchanges = job().exchanges();
        throw new AssertionError(
            "call %d of %d with %s:%n%s"
                .formatted(n, calls, fault, exchanges.subList(before, exchanges.size())),
            e);
      }
      DatasetFiles.at(job().output(output)).assertSameAs(reference());
    }
  }

  @Test
  void aCallThatFailsOnceChangesNothing() throws Exception {
    assertSurvives(
        "once",
        List.of(
            Fault.answer(500, "InternalError"), Fault.answer(503, "SlowDown"), new Fault.Reset()),
        0);
  }

  @Test
  void anAnswerThatIsLostChangesNothing() throws Exception {
    assertSurvives("lost", List.of(new Fault.Lost()), 0);
  }

  @Test
  void whatFailsForGoodPublishesNothingOrAll() throws Exception {
    Set<String> whole = shards(job().output("undisturbed"));
    for (int n = 1; n <= calls; n++) {
      int nth = n;
      job().script().clear();
      job().script().on(ALL, seen -> seen >= nth, Fault.answer(403, "AccessDenied"));
      String output = "denied" + n;
      Exception failure = null;
      try {
        job().run(output, Map.of());
      } catch (Exception e) {
        failure = e;
      }
      Path directory = job().output(output);
      boolean published = Files.exists(directory.resolve("dataset.json"));
      if (published) {
        DatasetFiles.at(directory).assertSameAs(reference());
      } else {
        assertNotNull(failure, "call " + n);
        assertFalse(String.valueOf(failure.getMessage()).isBlank());
      }
      assertTrue(whole.containsAll(shards(directory)), "a shard that is not whole, call " + n);
    }
  }

  private static Set<String> shards(Path dataset) throws IOException {
    Set<String> hashes = new HashSet<>();
    Path directory = dataset.resolve("shards");
    if (Files.exists(directory)) {
      try (Stream<Path> files = Files.walk(directory)) {
        for (Path file : files.filter(Files::isRegularFile).toList()) {
          hashes.add(Sha256.hex(Files.readAllBytes(file)));
        }
      }
    }
    return hashes;
  }
}
