package io.stoker.preprocess.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.stoker.preprocess.it.Processes.Ended;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The scripts that no other test runs, those that take long in their short form: they end with 0,
 * and their figures are there. How large these are is not looked at, because other tests run beside
 * this one.
 */
@ExtendWith(Lab.Resolver.class)
class ScriptsIT {
  private static final Duration TIMEOUT = Duration.ofMinutes(8);
  private static final Path FIGURES = Lab.TOP.resolve("preprocess-job/target/bench");

  private final Lab lab;

  ScriptsIT(Lab lab) {
    this.lab = lab;
  }

  private Ended run(String script, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Lab.TOP.resolve("scripts").resolve(script).toString());
    command.addAll(List.of(arguments));
    // Building here would replace the jar that other tests are running.
    Ended ended = lab.processes().run(command, Map.of("STOKER_BUILT", "true"), TIMEOUT);
    assertEquals(0, ended.exitCode(), ended::toString);
    return ended;
  }

  /** The cases of a benchmark, each of whose figures is a number above zero. */
  private Set<String> cases(String benchmark, Ended ended) throws IOException {
    JsonNode document = new ObjectMapper().readTree(FIGURES.resolve(benchmark + ".json").toFile());
    assertEquals(benchmark, document.path("benchmark").asText());
    assertFalse(document.path("figures").isEmpty(), ended::toString);
    Set<String> cases = new TreeSet<>();
    for (JsonNode figure : document.path("figures")) {
      JsonNode value = figure.path("value");
      assertTrue(
          value.isNumber() && Double.isFinite(value.asDouble()) && value.asDouble() >= 0,
          figure::toString);
      cases.add(figure.path("case").asText());
    }
    return cases;
  }

  private void removeFigures(String benchmark) throws IOException {
    Files.deleteIfExists(FIGURES.resolve(benchmark + ".json"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "--local"})
  void demo(String option) {
    Ended ended = option.isEmpty() ? run("demo") : run("demo", option);
    assertTrue(
        ended.stdout().contains("demo ok: 27 samples written, 3 rejected, wait-time ratio 0."),
        ended::toString);
  }

  /** Job and ranks, on one host and on two, and both ratios of each. */
  @Test
  void spread() throws IOException {
    removeFigures("spread");
    Ended ended = run("spread", "--short");
    assertEquals(
        Set.of("job", "job-packed", "job-spread", "read", "read-packed", "read-spread"),
        cases("spread", ended));
    JsonNode document = new ObjectMapper().readTree(FIGURES.resolve("spread.json").toFile());
    assertEquals(
        4,
        StreamSupport.stream(document.path("figures").spliterator(), false)
            .filter(figure -> figure.path("unit").asText().equals("x"))
            .filter(figure -> figure.path("value").asDouble() > 0)
            .count(),
        document::toString);
  }

  @Test
  void ladder() throws IOException {
    removeFigures("ladder");
    Ended ended = run("ladder", "--short", "5");
    assertEquals(6, cases("ladder", ended).size(), ended::toString);
    assertTrue(Files.exists(Lab.TOP.resolve("preprocess-job/target/ladder/ladder.html")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"chain", "text", "pack", "write", "job"})
  void bench(String benchmark) throws IOException {
    removeFigures(benchmark);
    Ended ended = run("bench", "--short", benchmark);
    assertFalse(cases(benchmark, ended).isEmpty(), ended::toString);
  }

  @Test
  void benchOfTheReader() {
    Ended ended = run("bench", "--short", "read", "plan");
    assertTrue(ended.stdout().contains("prefetch off, rank 1: "), ended::toString);
    assertTrue(ended.stdout().contains("blocks 15,000 packs "), ended::toString);
  }

  @Test
  void stokerBench() throws IOException {
    lab.reference();
    // Two ranks would leave out what does not fill a step.
    Ended ended =
        run(
            "stoker",
            "bench",
            "--json",
            "--ranks=1",
            "--step=0ms",
            lab.path("reference").toString());
    JsonNode figures = new ObjectMapper().readTree(ended.stdout());
    assertEquals(27, figures.path("samples").asInt());
    assertTrue(figures.path("seconds").asDouble() > 0, ended::toString);
  }
}
