package io.stoker.preprocess.commit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.stoker.preprocess.manifest.ManifestLine;
import io.stoker.preprocess.manifest.Provenance;
import io.stoker.preprocess.reject.RejectReason;
import io.stoker.preprocess.sample.Rejection;
import io.stoker.preprocess.shard.Attempt;
import io.stoker.preprocess.store.OutputStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The quarantine as JSON lines. */
class RejectsWriterTest {
  private static final Attempt ATTEMPT = new Attempt("job", 3, 14);

  private final Path file;
  private final OutputStore store;

  RejectsWriterTest(@TempDir Path directory) throws IOException {
    this.file = directory.resolve("rejects/job-p000003-a14.jsonl");
    this.store = new OutputStore(directory.toString(), new Configuration(false));
  }

  @Test
  void everyRejectionIsALineThatTellsAll() throws IOException {
    byte[] invalid = {'{', (byte) 0xC3, 0x28, (byte) 0xED, (byte) 0xA0, (byte) 0x80, 0};
    byte[] text = "{\"a\":\"\u2028 \uD83D\uDE80 \0 \\\"".getBytes(UTF_8);
    try (RejectsWriter writer = new RejectsWriter(store, ATTEMPT)) {
      writer.add(rejection(RejectReason.BAD_JSON, "expected\nJSON", 100, 2, text));
      writer.add(rejection(RejectReason.BAD_TEXT, "expected UTF-8", 200, 5, invalid));
      writer.add(rejection(RejectReason.BAD_JSON, "cut \uD83D", 300, 6, new byte[0]));
      assertEquals(Map.of("bad_json", 2L, "bad_text", 1L), writer.counts());
      assertEquals("rejects/job-p000003-a14.jsonl", writer.finish());
    }
    List<String> lines = Files.readAllLines(file);
    assertEquals(3, lines.size());
    JsonNode first = new ObjectMapper().readTree(lines.get(0));
    assertEquals("bad_json", first.path("reason").textValue());
    assertEquals("expected\nJSON", first.path("detail").textValue());
    assertEquals("s3a://b/m.jsonl", first.path("manifest").textValue());
    assertEquals(100, first.path("offset").longValue());
    assertEquals(2, first.path("line").longValue());
    assertArrayEquals(text, first.path("record").textValue().getBytes(UTF_8));
    assertFalse(first.has("record-base64"));
    JsonNode second = new ObjectMapper().readTree(lines.get(1));
    assertArrayEquals(invalid, second.path("record-base64").binaryValue());
    assertFalse(second.has("record"));
    JsonNode third = new ObjectMapper().readTree(lines.get(2));
    assertEquals("cut ?", third.path("detail").textValue());
    assertEquals("", third.path("record").textValue());
  }

  @Test
  void withoutRejectionsThereIsNoObject() throws IOException {
    try (RejectsWriter writer = new RejectsWriter(store, ATTEMPT)) {
      assertNull(writer.finish());
      assertEquals(Map.of(), writer.counts());
    }
    assertFalse(Files.exists(file));
  }

  @Test
  void aTaskThatFailsLeavesNoObject() throws IOException {
    try (RejectsWriter writer = new RejectsWriter(store, ATTEMPT)) {
      writer.add(rejection(RejectReason.BAD_JSON, "d", 1, 1, new byte[] {'x'}));
    }
    assertFalse(Files.exists(file));
  }

  private static Rejection rejection(
      RejectReason reason, String detail, long offset, long line, byte[] bytes) {
    Provenance provenance = new Provenance("s3a://b/m.jsonl", offset, line);
    return new Rejection(reason, detail, new ManifestLine(provenance, bytes, true));
  }
}
