package io.stoker.preprocess.manifest;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.stoker.preprocess.manifest.ManifestReader.SplitSummary;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Lines of real files, however the files are split. */
class ManifestReaderTest {
  private static final int LIMIT = 60;
  private static final Configuration CONFIGURATION = new Configuration(false);

  private final Path directory;

  ManifestReaderTest(@TempDir Path directory) {
    this.directory = directory;
  }

  /** A line as it should come out. */
  private record Expected(long offset, long line, String hex, boolean ended) {
    static Expected of(ManifestLine line) {
      return new Expected(
          line.provenance().offset(),
          line.provenance().line(),
          HexFormat.of().formatHex(line.bytes()),
          line.ended());
    }
  }

  /** A file with everything that is nasty in it, and what is expected of it. */
  private final ByteArrayOutputStream nasty = new ByteArrayOutputStream();

  private final List<Expected> expected = new ArrayList<>();
  private int lines;

  @BeforeEach
  void writeNastyLines() {
    line("\uFEFF{\"first\":1}", "\r\n");
    line("{\"lone\":\"a\rb\"}", "\n");
    blank("", "\n");
    blank(" \t ", "\r\n");
    line("{\"separators\":\"\u2028 \u2029 \u0085 \u000b \f\"}", "\n");
    line("\uFEFF{\"concatenated\":1}", "\n");
    line(filler(LIMIT * 9 / 10), "\n");
    line(filler(LIMIT), "\n");
    line(filler(LIMIT), "\r\n");
    line(filler(LIMIT + 1), "\n");
    line("{\"between\":1}", "\n");
    line(filler(LIMIT * 11 / 10), "\r\n");
    line("{\"after\":1}", "\n");
    line(new byte[] {'"', (byte) 0xC3, 0x28, (byte) 0xED, (byte) 0xA0, (byte) 0x80, '"'}, "\n");
    line("{\"nul\":\"\0\"}", "\n");
    blank("\r", "\r\n");
    line("x", "\n");
    line("{\"last\":1}\r", "");
  }

  private static String filler(int length) {
    return "{\"" + "é".repeat((length - 4) / 2) + "x".repeat(length % 2) + "\"}";
  }

  private void line(String content, String end) {
    line(content.getBytes(UTF_8), end);
  }

  private void line(byte[] content, String end) {
    int kept = content.length - (end.isEmpty() && content[content.length - 1] == '\r' ? 1 : 0);
    byte[] cut = Arrays.copyOf(content, Math.min(kept, LIMIT + 1));
    String hex = HexFormat.of().formatHex(cut);
    expected.add(new Expected(nasty.size(), lines + 1, hex, !end.isEmpty()));
    write(content, end);
  }

  private void blank(String content, String end) {
    write(content.getBytes(UTF_8), end);
  }

  private void write(byte[] content, String end) {
    nasty.writeBytes(content);
    nasty.writeBytes(end.getBytes(UTF_8));
    lines++;
  }

  @Test
  void everySplitSizeGivesTheSameLinesAndSums() throws IOException {
    Manifest manifest = manifest(nasty.toByteArray());
    for (int splitBytes = 1; splitBytes <= nasty.size(); splitBytes++) {
      List<Expected> found = new ArrayList<>();
      long firstLine = 1;
      long records = 0;
      for (Split split : ManifestLister.split(List.of(manifest), splitBytes)) {
        found.addAll(read(split.withFirstLine(firstLine)));
        SplitSummary summary = summarize(split);
        firstLine += summary.lines();
        records += summary.records();
      }
      assertEquals(expected, found, "split size " + splitBytes);
      assertEquals(lines, firstLine - 1, "lines, split size " + splitBytes);
      assertEquals(expected.size(), records, "records, split size " + splitBytes);
    }
  }

  @ParameterizedTest
  @CsvSource({"{}, 1", "'{}\n', 1", "'\n', 0", "'\n\n{}', 1", "'{}\r\n\r\n', 1", "'{}\n{}\n\n', 2"})
  void shortFiles(String content, int records) throws IOException {
    Manifest manifest = manifest(content.getBytes(UTF_8));
    for (int splitBytes = 1; splitBytes <= content.length(); splitBytes++) {
      List<Expected> found = new ArrayList<>();
      for (Split split : ManifestLister.split(List.of(manifest), splitBytes)) {
        found.addAll(read(split));
      }
      assertEquals(records, found.size(), "split size " + splitBytes);
      String ends = content.endsWith("}") ? "cut" : "ended";
      if (records > 0) {
        assertEquals(ends, found.get(records - 1).ended() ? "ended" : "cut");
      }
    }
  }

  @Test
  void aLineMuchLongerThanTheBufferIsSkippedAndTheNextOneRead() throws IOException {
    byte[] huge = "y".repeat(3 << 20).getBytes(UTF_8);
    nasty.reset();
    nasty.writeBytes(huge);
    nasty.writeBytes("\n{}\n".getBytes(UTF_8));
    try (ManifestReader reader = open(whole(manifest(nasty.toByteArray())))) {
      ManifestLine first = requireNonNull(reader.next());
      assertEquals(LIMIT + 1, first.bytes().length);
      ManifestLine second = requireNonNull(reader.next());
      assertEquals(huge.length + 1, second.provenance().offset());
      assertEquals(2, second.provenance().line());
      assertEquals("{}", new String(second.bytes(), UTF_8));
      assertNull(reader.next());
      assertNull(reader.next());
    }
  }

  @Test
  void theHashIsOfTheContentWhereverItIs() throws IOException {
    String hash = summarize(whole(manifest("{\"a\":1}\n{\"b\":2}\n"))).sha256();
    assertEquals(hash, summarize(whole(manifest("{\"a\":1}\n{\"b\":2}\n"))).sha256());
    assertEquals(hash, summarize(whole(manifest("{\"a\":1}\r\n\n{\"b\":2}"))).sha256());
    for (String other :
        List.of("{\"a\":1}\n{\"b\":3}\n", "{\"b\":2}\n{\"a\":1}\n", "{\"a\":1}\n")) {
      assertNotEquals(hash, summarize(whole(manifest(other))).sha256(), other);
    }
    // sha256 of the two lines, as the sha256sum command has it
    assertEquals("3881dc2ee848fe04d776737c86afbc783e482e7c5be6431d3aab36fa8fa2c928", hash);
  }

  @Test
  void theContentHashOfAManifestDependsOnEverySplitAndTheirOrder() {
    SplitSummary a = new SplitSummary(1, 1, "aa");
    SplitSummary b = new SplitSummary(1, 1, "bb");
    String hash = ManifestReader.contentHash(List.of(a, b));
    assertEquals(64, hash.length());
    assertEquals(hash, ManifestReader.contentHash(List.of(a, new SplitSummary(7, 7, "bb"))));
    assertNotEquals(hash, ManifestReader.contentHash(List.of(b, a)));
    assertNotEquals(hash, ManifestReader.contentHash(List.of(a)));
  }

  @Test
  void aRangeOutsideTheManifestIsNoSplit() throws IOException {
    Manifest manifest = manifest("{}\n");
    for (long[] range : new long[][] {{-1, 2}, {2, 2}, {0, 4}}) {
      assertThrows(
          IllegalArgumentException.class, () -> new Split(0, manifest, range[0], range[1], 1));
    }
  }

  @Test
  void theFileIsReadAsBytesNotAsText() throws IOException {
    byte[] everyByte = new byte[256];
    for (int i = 0; i < 256; i++) {
      everyByte[i] = (byte) (i == '\n' || i == '\r' ? '.' : i);
    }
    String line = "{\"" + new String(everyByte, ISO_8859_1);
    try (ManifestReader reader =
        ManifestReader.open(
            whole(manifest((line + "\n").getBytes(ISO_8859_1))), 300, CONFIGURATION)) {
      assertEquals(line, new String(requireNonNull(reader.next()).bytes(), ISO_8859_1));
    }
  }

  private Manifest manifest(String content) throws IOException {
    return manifest(content.getBytes(UTF_8));
  }

  private Manifest manifest(byte[] content) throws IOException {
    Path file = directory.resolve("m.jsonl");
    Files.write(file, content);
    return ManifestLister.list(List.of(file.toString()), CONFIGURATION).get(0);
  }

  private static Split whole(Manifest manifest) {
    return new Split(0, manifest, 0, manifest.bytes(), 1);
  }

  private static ManifestReader open(Split split) throws IOException {
    return ManifestReader.open(split, LIMIT, CONFIGURATION);
  }

  @Test
  void aReaderSumsUpWhatItRead() throws IOException {
    Split split = whole(manifest(nasty.toByteArray()));
    try (ManifestReader reader = open(split)) {
      while (reader.next() != null) {}
      assertEquals(summarize(split), reader.summary());
    }
    try (ManifestReader reader = open(split.withFirstLine(1000))) {
      while (reader.next() != null) {}
      assertEquals(summarize(split), reader.summary());
    }
  }

  private static SplitSummary summarize(Split split) throws IOException {
    try (ManifestReader reader = open(split)) {
      return reader.summarize();
    }
  }

  private static List<Expected> read(Split split) throws IOException {
    List<Expected> found = new ArrayList<>();
    try (ManifestReader reader = open(split)) {
      for (ManifestLine line = reader.next(); line != null; line = reader.next()) {
        found.add(Expected.of(line));
      }
    }
    return found;
  }
}
