package io.stoker.preprocess.config;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Configuration files, the one in the project first of all. */
class ConfigFileTest {
  private static final Path DEFAULTS = Path.of("..", "conf", "preprocess.properties");
  private static final Path README = Path.of("README.md");
  private static final String WRITE = "stoker.write-config";
  private static final String COMMAND =
      "write it again: mvn -Dquick -pl shard-reader,preprocess-job test -Dtest=ConfigFileTest"
          + " -Dsurefire.failIfNoSpecifiedTests=false -D"
          + WRITE
          + "=true";

  private final Path file;

  ConfigFileTest(@TempDir Path directory) {
    this.file = directory.resolve("x.properties");
  }

  /** The file is generated: {@code mvn test -Dstoker.write-config=true} writes it. */
  @Test
  void theFileOfTheProjectHoldsEveryKeyWithItsDefault() throws IOException {
    String expected = ConfigKey.defaultFile();
    if (Boolean.getBoolean(WRITE)) {
      Files.writeString(DEFAULTS, expected);
    }
    String found = Files.exists(DEFAULTS) ? Files.readString(DEFAULTS) : "";
    assertEquals(expected, found, "conf/preprocess.properties is out of date; " + COMMAND);
  }

  /** Its table is generated likewise. */
  @Test
  void theReadmeSaysTheSame() throws IOException {
    String readme = Files.readString(README);
    Matcher found = Pattern.compile("(?:\\| `[a-z]+\\.[a-z.-]+` \\|.*\n)+").matcher(readme);
    assertTrue(found.find(), "the table of the keys");
    if (Boolean.getBoolean(WRITE)) {
      Files.writeString(
          README, readme.substring(0, found.start()) + table() + readme.substring(found.end()));
      return;
    }
    assertEquals(table(), found.group(), "preprocess-job/README.md is out of date; " + COMMAND);
  }

  private static String table() {
    Pattern key = Pattern.compile("# (.+)\n([a-z.-]+) =(?: (.+))?\n");
    return key.matcher(ConfigKey.defaultFile())
        .results()
        .map(
            match -> {
              String value = match.group(3) == null ? "" : "`" + match.group(3) + "`";
              return "| `%s` | %s | %s |\n".formatted(match.group(2), value, match.group(1));
            })
        .collect(Collectors.joining());
  }

  @Test
  void theDefaultFileIsReadAsTheDefaults() throws Exception {
    Files.writeString(file, ConfigKey.defaultFile());
    Map<String, String> defaults =
        Arrays.stream(ConfigKey.values())
            .collect(Collectors.toMap(ConfigKey::key, ConfigKey::defaultValue));
    assertEquals(defaults, ConfigFile.read(file, Map.of()));
  }

  @Test
  void everyKeyHasOneLineOfComment() {
    for (String paragraph : ConfigKey.defaultFile().strip().split("\n\n")) {
      assertTrue(paragraph.matches("# [^\n]+\\.(\n[a-z.-]+ =( [^\n]+)?)?"), paragraph);
    }
  }

  @Test
  void overridesGoBeforeTheFile() throws Exception {
    Files.writeString(file, "# Größe\npack.window = 7\npack.max-tokens=8\ntext.template: ü\n");
    assertEquals(
        Map.of(
            "pack.window", "9", "pack.max-tokens", "8", "text.template", "ü", "block.bytes", "1m"),
        ConfigFile.read(file, Map.of("pack.window", "9", "block.bytes", "1m")));
    assertEquals(Map.of("a", "b"), ConfigFile.read(null, Map.of("a", "b")));
    Files.writeString(file, "\uFEFFa = b");
    assertEquals(Map.of("a", "b"), ConfigFile.read(file, Map.of()));
  }

  @Test
  void aFileThatCannotBeReadIsSaidSo() throws IOException {
    assertProblem("expected a configuration file at %s, found none".formatted(file));
    Files.writeString(file, "a = \\u00zz");
    assertProblem("%s is no properties file: Malformed \\uxxxx encoding.".formatted(file));
    Files.write(file, "a = ü".getBytes(ISO_8859_1));
    assertProblem("%s is not UTF-8 text".formatted(file));
    Files.delete(file);
    Files.createDirectory(file);
    assertProblem("cannot read %s: Is a directory".formatted(file));
  }

  private void assertProblem(String problem) {
    ConfigException e = assertThrows(ConfigException.class, () -> ConfigFile.read(file, Map.of()));
    assertEquals(problem, e.getMessage());
  }
}
