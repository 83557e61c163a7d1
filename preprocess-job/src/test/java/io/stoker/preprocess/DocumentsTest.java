package io.stoker.preprocess;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The documents name only what is there: files, sections, scripts and classes. */
class DocumentsTest {
  private static final Path TOP = Path.of("..").toAbsolutePath().normalize();
  private static final String CONTRIBUTING = "CONTRIBUTING.md";

  // Links inside the project; the address of another site has a colon.
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)#:]*)(?:#([^)]*))?\\)");
  private static final Pattern SCRIPT = Pattern.compile("\\bscripts/[a-z0-9-]+\\b");
  private static final Pattern CODE = Pattern.compile("`([^`\n]+)`");
  private static final Pattern CLASS = Pattern.compile("[A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9]*");
  private static final Pattern FILE = Pattern.compile("[A-Za-z0-9._-]+(?:/[A-Za-z0-9._-]+)+");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "README.md",
        CONTRIBUTING,
        "CHANGELOG.md",
        "preprocess-job/README.md",
        "shard-reader/README.md",
        "shard-reader/python/README.md",
        "scripts/README.md",
        "examples/README.md"
      })
  void linksAndScriptsAreThere(String document) throws IOException {
    Path page = TOP.resolve(document);
    String text = Files.readString(page);
    for (MatchResult link : all(LINK, text)) {
      Path target = link.group(1).isEmpty() ? page : page.resolveSibling(link.group(1));
      assertTrue(Files.exists(target), document + " links to " + target);
      if (link.group(2) != null) {
        assertTrue(sections(target).contains(link.group(2)), document + link.group());
      }
    }
    for (MatchResult script : all(SCRIPT, text)) {
      assertTrue(Files.exists(TOP.resolve(script.group())), document + ": " + script.group());
    }
  }

  private static List<MatchResult> all(Pattern pattern, String text) {
    return pattern.matcher(text).results().toList();
  }

  /** What links call the headings of a page: lower case, hyphens, no punctuation. */
  private static Set<String> sections(Path page) throws IOException {
    return Files.readString(page)
        .lines()
        .filter(line -> line.startsWith("#"))
        .map(line -> line.replaceFirst("#+ ", "").toLowerCase(Locale.ROOT))
        .map(line -> line.replaceAll("[^a-z0-9 -]", "").replace(' ', '-'))
        .collect(Collectors.toSet());
  }

  /** A map that names classes which are gone is worse than none. */
  @Test
  void theMapForContributorsShowsWhatIsThere() throws IOException {
    Set<String> sources;
    try (Stream<Path> files = Files.walk(TOP)) {
      sources =
          files
              .map(file -> String.valueOf(file.getFileName()))
              .filter(name -> name.endsWith(".java"))
              .map(name -> name.replace(".java", ""))
              .collect(Collectors.toSet());
    }
    List<String> code =
        all(CODE, Files.readString(TOP.resolve(CONTRIBUTING))).stream()
            .map(match -> match.group(1))
            .toList();
    assertEquals(
        List.of(),
        code.stream()
            .filter(CLASS.asMatchPredicate().and(Predicate.not(sources::contains)))
            .toList());
    assertEquals(
        List.of(),
        code.stream()
            .filter(FILE.asMatchPredicate().and(path -> Files.notExists(TOP.resolve(path))))
            .toList());
  }

  /** Users look for the words that they see: those between the values of a message. */
  @Test
  void theTableOfFailuresQuotesWhatIsPrinted() throws IOException {
    String printed = printed();
    List<String> symptoms =
        Files.readAllLines(TOP.resolve("preprocess-job/README.md")).stream()
            .dropWhile(line -> !line.startsWith("| symptom "))
            .skip(2)
            .takeWhile(line -> line.startsWith("|"))
            .map(line -> line.split("\\|")[1])
            .toList();
    assertTrue(symptoms.size() > 20, () -> "expected a table of failures, found " + symptoms);
    assertEquals(
        List.of(),
        symptoms.stream()
            .flatMap(symptom -> all(CODE, symptom).stream())
            .flatMap(quote -> Stream.of(quote.group(1).split("…")))
            .filter(words -> !printed.contains(words))
            .toList());
  }

  /** All code and scripts, with the parts of long strings joined. */
  private static String printed() throws IOException {
    StringBuilder all = new StringBuilder();
    List<String> places =
        List.of("preprocess-job/src/main/java", "shard-reader/src/main/java", "scripts/submit");
    for (String place : places) {
      try (Stream<Path> files = Files.walk(TOP.resolve(place))) {
        for (Path file : files.filter(Files::isRegularFile).toList()) {
          all.append(Files.readString(file));
        }
      }
    }
    return all.toString().replaceAll("\"\\s*\\+ \"", "").replace("\\\"", "\"");
  }

  @Test
  void theFrontDoorIsShort() throws IOException {
    assertTrue(Files.readAllLines(TOP.resolve("README.md")).size() <= 150);
  }
}
