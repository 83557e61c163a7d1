package io.stoker.preprocess.manifest;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A file that is not JSON lines is refused as a whole, and the message says what it is. */
class ForeignTypesTest {
  private static final String LINE = "{\"id\":\"a\",\"text\":\"b\"}\n";
  private static final String WIDE = "UTF-16 or UTF-32 text (convert it to UTF-8)";

  private final Path directory;

  ForeignTypesTest(@TempDir Path directory) {
    this.directory = directory;
  }

  static Stream<Arguments> foreign() throws IOException {
    Charset utf32 = Charset.forName("UTF-32");
    return Stream.of(
        Arguments.of("gzip data (decompress it first)", gzip()),
        Arguments.of("zstd data (decompress it first)", latin("(\u00b5/\u00fd\u0004\0A\0\0")),
        Arguments.of(WIDE, LINE.getBytes(UTF_16)),
        Arguments.of(WIDE, LINE.getBytes(UTF_16LE)),
        Arguments.of(WIDE, LINE.getBytes(UTF_16BE)),
        Arguments.of(WIDE, ("\uFEFF" + LINE).getBytes(UTF_16LE)),
        Arguments.of(WIDE, LINE.getBytes(utf32)),
        Arguments.of(WIDE, ("\uFEFF" + LINE).getBytes(utf32)),
        Arguments.of(WIDE, ("\uFEFF" + LINE).getBytes(Charset.forName("UTF-32LE"))),
        Arguments.of("a Parquet file", latin("PAR1\u0015\u0004\u0015")),
        Arguments.of("a zip archive", zip()),
        Arguments.of("a tar archive", tar()),
        Arguments.of("an HTML or XML page", latin("\n <!DOCTYPE html><html></html>")),
        Arguments.of(
            "an HTML or XML page", "\uFEFF<?xml version=\"1.0\"?><Error/>".getBytes(UTF_8)),
        Arguments.of(
            "a JSON array (write one record per line instead)", latin("[\n{\"id\":1},\n{}]")),
        Arguments.of(
            "pretty-printed JSON (write one record per line)", latin("{\r\n  \"id\": 1\r\n}\r\n")));
  }

  private static byte[] gzip() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
      gzip.write(LINE.getBytes(UTF_8));
    }
    return bytes.toByteArray();
  }

  private static byte[] zip() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
      zip.putNextEntry(new ZipEntry("m.jsonl"));
      zip.write(LINE.getBytes(UTF_8));
    }
    return bytes.toByteArray();
  }

  private static byte[] tar() {
    byte[] header = new byte[1024];
    System.arraycopy(latin("m.jsonl"), 0, header, 0, 7);
    System.arraycopy(latin("ustar\00000"), 0, header, 257, 8);
    return header;
  }

  private static byte[] latin(String text) {
    return text.getBytes(ISO_8859_1);
  }

  @ParameterizedTest
  @MethodSource("foreign")
  void isRefusedByItsName(String type, byte[] content) throws IOException {
    Path file = directory.resolve("m.jsonl");
    Files.write(file, content);
    ManifestException e = assertThrows(ManifestException.class, () -> open(file).close());
    assertEquals(
        "manifest file:%s is not JSON lines: expected one JSON object per line, found %s"
            .formatted(file, type),
        e.getMessage());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "\uFEFF{\"a\":1}\n",
        "\n\n {\"a\":1}",
        "{\n",
        "{\n{\"a\":1}\n",
        "{\"a\":\n1}",
        "PAR",
        "x"
      })
  void whatMayBeJsonLinesIsReadLineByLine(String content) throws IOException {
    Path file = directory.resolve("m.jsonl");
    Files.writeString(file, content);
    try (ManifestReader reader = open(file)) {
      assertNotNull(reader.next());
    }
  }

  @Test
  void onlyTheFirstSplitLooks() throws IOException {
    Path file = directory.resolve("m.jsonl");
    Files.writeString(file, "{}\n[1]\n<a>\n");
    Manifest manifest = list(file);
    try (ManifestReader reader =
        ManifestReader.open(new Split(0, manifest, 3, 11, 2), 100, new Configuration(false))) {
      assertEquals("[1]", new String(requireNonNull(reader.next()).bytes(), UTF_8));
      assertEquals("<a>", new String(requireNonNull(reader.next()).bytes(), UTF_8));
    }
  }

  private static Manifest list(Path file) throws IOException {
    return ManifestLister.list(List.of(file.toString()), new Configuration(false)).get(0);
  }

  private static ManifestReader open(Path file) throws IOException {
    Manifest manifest = list(file);
    Split split = new Split(0, manifest, 0, manifest.bytes(), 1);
    return ManifestReader.open(split, 1 << 20, new Configuration(false));
  }
}
