package io.stoker.preprocess.sample;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.stoker.preprocess.manifest.Provenance;
import io.stoker.preprocess.reject.RejectReason;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Lines of the quarantine as lines of a manifest. */
class RejectedLineTest {
  private static final String RECORD =
      "{\"messages\":[{\"role\":\"user\",\"content\":\"Ünë?\"},{\"role\":\"assistant\",\"content\":\"b\"}]}";
  private static final Provenance ORIGIN = new Provenance("s3a://b/d/m.jsonl", 1L << 40, 4711);

  private static ObjectNode frame() {
    return new ObjectMapper()
        .createObjectNode()
        .put("reason", "image_missing")
        .put("detail", "no object")
        .put("manifest", ORIGIN.manifest())
        .put("offset", ORIGIN.offset())
        .put("line", ORIGIN.line());
  }

  private static ParsedLine parse(ObjectNode row) {
    return new SampleParser(SampleSettings.DEFAULTS).parse(Lines.line(row.toString()));
  }

  @Test
  void theRowInsideIsReadAsItWasWithItsOrigin() {
    Sample sample = assertInstanceOf(Sample.class, parse(frame().put("record", RECORD)));
    assertEquals("m.jsonl:4711", sample.id());
    assertEquals(ORIGIN, sample.line().provenance());
    assertArrayEquals(RECORD.getBytes(UTF_8), sample.line().bytes());
    String base64 = Base64.getEncoder().encodeToString(RECORD.getBytes(UTF_8));
    assertEquals(
        sample.turns(),
        assertInstanceOf(Sample.class, parse(frame().put("record-base64", base64))).turns());
  }

  /** Java would make it a question mark. */
  @Test
  void halfASurrogatePairInTheRowIsBadText() {
    String line = frame().put("record", RECORD).toString().replace("Ünë", "\\ud83d");
    Rejection rejection =
        assertInstanceOf(
            Rejection.class, new SampleParser(SampleSettings.DEFAULTS).parse(Lines.line(line)));
    assertEquals(RejectReason.BAD_TEXT, rejection.reason());
  }

  @Test
  void aRowThatIsStillWrongIsRejectedUnderItsOrigin() {
    Rejection rejection = assertInstanceOf(Rejection.class, parse(frame().put("record", "{\"x")));
    assertEquals(RejectReason.BAD_JSON, rejection.reason());
    assertEquals(ORIGIN, rejection.line().provenance());
    assertEquals("{\"x", new String(rejection.line().bytes(), UTF_8));
  }

  @Test
  void aRowInARowIsNotUnwrappedTwice() {
    String inner = frame().put("record", RECORD).toString();
    Rejection rejection = assertInstanceOf(Rejection.class, parse(frame().put("record", inner)));
    assertEquals(RejectReason.UNKNOWN_SHAPE, rejection.reason());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"manifest\":7",
        "\"manifest\":null",
        "\"manifest\":\"a\\n ERROR b\"",
        "\"manifest\":\"a\\u202eb\"",
        "\"offset\":-1",
        "\"offset\":\"5\"",
        "\"offset\":1e30",
        "\"line\":1.5",
        "\"record\":{}",
        "\"record\":null"
      })
  void aDamagedRowIsABadRecord(String member) throws Exception {
    ObjectNode row = frame().put("record", RECORD);
    ObjectNode other = (ObjectNode) new ObjectMapper().readTree("{" + member + "}");
    row.setAll(other);
    Rejection rejection = assertInstanceOf(Rejection.class, parse(row));
    assertEquals(RejectReason.BAD_TYPE, rejection.reason());
    assertEquals(Lines.line("").provenance(), rejection.line().provenance());
  }

  @Test
  void noBase64IsABadRecord() {
    Rejection rejection =
        assertInstanceOf(Rejection.class, parse(frame().put("record-base64", "§§")));
    assertTrue(rejection.detail().contains("base64"), rejection.detail());
  }

  @Test
  void otherObjectsAreWhatTheyAre() {
    for (ObjectNode row :
        java.util.List.of(
            frame(),
            frame().put("record", RECORD).put("record-base64", "AA=="),
            frame().put("record", RECORD).put("more", 1))) {
      Rejection rejection = assertInstanceOf(Rejection.class, parse(row));
      assertEquals(RejectReason.UNKNOWN_SHAPE, rejection.reason());
      assertArrayEquals(row.toString().getBytes(UTF_8), rejection.line().bytes());
    }
  }
}
