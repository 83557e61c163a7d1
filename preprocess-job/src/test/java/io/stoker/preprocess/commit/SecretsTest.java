package io.stoker.preprocess.commit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class SecretsTest {
  @Test
  void areTakenOut() {
    assertEquals(
        "{\"image\":\"s3a://redacted@bucket/x.jpg\"}",
        removed("{\"image\":\"s3a://KEY:se/cret@bucket/x.jpg\"}"));
    assertEquals(
        "{\"image\":\"s3a:\\/\\/redacted@bucket/x.jpg\"}",
        removed("{\"image\":\"s3a:\\/\\/KEY:secret@bucket/x.jpg\"}"));
    assertEquals(
        "{\"i\":\"https://h/x?redacted\",\"q\":\"é?\"}",
        removed("{\"i\":\"https://h/x?a=1&X-Amz-Signature=s\",\"q\":\"é?\"}"));
  }

  @Test
  void otherLinesAreKeptAsTheyAre() {
    for (String line :
        new String[] {
          "{\"image\":\"s3://b/x?.jpg\",\"q\":\"mail a@b.c: what?\"}",
          "{\"image\":\"s3://b/a:b/x.jpg\",\"q\":\"who@where\"}",
          "{\"q\":\"Is it signed?\",\"answer\":\"token=3\"}"
        }) {
      byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
      assertSame(bytes, Secrets.removed(bytes), line);
    }
  }

  private static String removed(String line) {
    return new String(
        Secrets.removed(line.getBytes(StandardCharsets.UTF_8)), StandardCharsets.UTF_8);
  }
}
