package io.stoker.reader;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.stoker.fixture.BrokenDataset;
import io.stoker.fixture.Goldens;
import io.stoker.format.ShardFormatException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Datasets with one broken rule each, as edits of the first golden, and the whole message that
 * answers each. They stand in a file, so that another reader can be held against them too.
 */
class BrokenGoldenTest {
  private static final Path CASES = Goldens.ROOT.resolve("broken-v1.txt");
  private static final String SEPARATOR = " | ";

  @BeforeAll
  static void writeGoldens(@TempDir Path root) throws IOException {
    if (Goldens.writing()) {
      List<String> lines = new ArrayList<>();
      for (String line : Files.readAllLines(CASES)) {
        lines.add(isCase(line) ? answered(root.resolve("case-" + lines.size()), line) : line);
      }
      Files.write(CASES, lines);
    }
  }

  private static boolean isCase(String line) {
    return !line.isBlank() && !line.startsWith("#");
  }

  static Stream<String> cases() throws IOException {
    return Files.readAllLines(CASES).stream().filter(BrokenGoldenTest::isCase);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void brokenRuleIsNamed(String line, @TempDir Path root) throws IOException {
    assertEquals(answered(root, line), line);
  }

  /** What is edited, and whether it is sealed; then the kind of the answer and its message. */
  private static String answered(Path root, String line) throws IOException {
    String[] cells = line.split(" \\| ", -1);
    BrokenDataset dataset = new BrokenDataset(Goldens.ROOT.resolve("v1"));
    for (String edit : cells[0].split("; ")) {
      dataset.edit(edit);
    }
    if (cells[1].equals("sealed")) {
      dataset.seal();
    } else {
      assertEquals("as it is", cells[1]);
    }
    dataset.write(root);
    IOException e = assertThrows(IOException.class, () -> DatasetVerifier.verify(root), line);
    String kind = e instanceof ShardFormatException format ? format.kind().name() : "MISSING";
    String message =
        String.valueOf(e.getMessage())
            .replace(root.toUri().toString(), "DATASET/")
            .replace(root.toString(), "DATASET");
    return String.join(SEPARATOR, cells[0], cells[1], kind, message);
  }

  @Test
  void soundOneIsNotRefused(@TempDir Path root) throws IOException {
    BrokenDataset dataset = new BrokenDataset(Goldens.ROOT.resolve("v1"));
    dataset.seal();
    dataset.write(root);
    DatasetVerifier.verify(root);
    Goldens.assertSame(Goldens.ROOT.resolve("v1"), root);
  }
}
