package io.stoker.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.stoker.fixture.Goldens;
import io.stoker.index.BlockEntry;
import io.stoker.index.BlockTable;
import io.stoker.index.DatasetParser;
import io.stoker.plan.CursorParser;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

/** The examples of the specification are those that the code makes. */
class SpecificationTest {
  private static final Path GOLDEN = Goldens.ROOT.resolve("v1");

  /** The text of the specification, without the stars of its comment. */
  private static List<String> text() throws IOException {
    return Files.readAllLines(
            Path.of("src", "main", "java", "io", "stoker", "format", "package-info.java"))
        .stream()
        .map(line -> line.replaceFirst("^ \\* ?", ""))
        .toList();
  }

  /** The example that has a line starting like this, from its first line to its last. */
  private static List<String> example(String line) throws IOException {
    List<String> text = text();
    int at = 0;
    while (!text.get(at).startsWith(line)) {
      at++;
    }
    int first = at;
    while (!text.get(first - 1).contains("<pre>")) {
      first--;
    }
    int end = at;
    while (!text.get(end).contains("</pre>")) {
      end++;
    }
    return text.subList(first, end);
  }

  @Test
  void exampleIsTheGoldenDocument() throws IOException {
    String example =
        example("  \"format\" : \"stoker-dataset\"").stream()
            .collect(Collectors.joining("\n", "", "\n"));
    String pattern =
        Arrays.stream(example.split("…", -1))
            .map(Pattern::quote)
            .collect(Collectors.joining("[-0-9., E]+"));
    String golden = Files.readString(GOLDEN.resolve(ShardFormat.DATASET_FILE));
    assertTrue(Pattern.matches(pattern, golden), example);
  }

  @Test
  void rowsAreThoseOfTheGolden() throws IOException {
    BlockTable table =
        BlockTable.open(
            DatasetParser.fromJson(
                ShardFormat.DATASET_FILE,
                Files.readAllBytes(GOLDEN.resolve(ShardFormat.DATASET_FILE))),
            ByteBuffer.wrap(Files.readAllBytes(GOLDEN.resolve("blocks.arrow"))));
    List<String> rows = new ArrayList<>();
    for (int block = 0; block < table.blocks(); block++) {
      BlockEntry entry = table.entry(block);
      rows.add(
          String.format(
              Locale.ROOT,
              "%5d  %6d  %6d  %5d  %7d  %6d  %7d  %08x",
              table.shard(block),
              entry.offset(),
              entry.length(),
              entry.packs(),
              entry.samples(),
              entry.tokens(),
              entry.patches(),
              entry.crc32c()));
    }
    List<String> example = example("shard  offset  length");
    assertEquals(rows, example.subList(1, example.size()));
  }

  @Test
  void dumpIsThatOfTheGolden() throws IOException {
    byte[] shard = Files.readAllBytes(GOLDEN.resolve("shards/00/test.arrow"));
    int lines = 0;
    Pattern dump = Pattern.compile(" *([0-9]+)  ([0-9a-f]{8}(?: [0-9a-f]{8}){3}).*");
    for (String line : example("1216  ffffffff")) {
      for (MatchResult match : dump.matcher(line).results().toList()) {
        int offset = Integer.parseInt(match.group(1));
        byte[] bytes = HexFormat.of().parseHex(match.group(2).replace(" ", ""));
        assertEquals(
            HexFormat.of().formatHex(bytes),
            HexFormat.of().formatHex(shard, offset, offset + bytes.length));
        lines++;
      }
    }
    assertEquals(7, lines);
  }

  @Test
  void checksumsAreThoseOfTheCode() throws IOException {
    String text = String.join(" ", text());
    assertTrue(text.contains("{@code e3069283}, that of 32 zero bytes {@code 8a9136aa}"), text);
    assertEquals("e3069283", crc32c("123456789".getBytes(StandardCharsets.US_ASCII)));
    assertEquals("8a9136aa", crc32c(new byte[32]));
  }

  private static String crc32c(byte[] bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    return HexFormat.of().toHexDigits((int) crc.getValue());
  }

  /** The images are compared with the code by the vectors of the plan. */
  @Test
  void exampleOfThePermutationIsAmongTheVectors() throws IOException {
    String images =
        example("image(0)").get(4).replace("image(0)", "").replace(", then", "").strip();
    List<String> vectors = Files.readAllLines(Goldens.ROOT.resolve("permutations.csv"));
    String start = "1000,42,7,0 1 2 3 4 5 6 7 998 999," + images + " ";
    assertTrue(vectors.stream().anyMatch(row -> row.startsWith(start)), images);
  }

  @Test
  void exampleOfTheCursorIsOne() throws IOException {
    String cursor = example("{\"format\":\"stoker-cursor\"").get(0);
    assertEquals(cursor, CursorParser.toJson(CursorParser.fromJson(cursor)));
  }
}
