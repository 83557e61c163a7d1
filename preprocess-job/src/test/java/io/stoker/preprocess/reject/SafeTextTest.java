package io.stoker.preprocess.reject;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class SafeTextTest {
  @Test
  void excerptsAreOneShortLine() {
    assertEquals("plain é 字", SafeText.excerpt("plain é 字"));
    assertEquals(
        "a\\u000ab\\u202ec\\u2028d\\ud83d\\ude00", SafeText.excerpt("a\nb\u202ec\u2028d😀"));
    assertEquals("x".repeat(159), SafeText.excerpt("x".repeat(159)));
    assertEquals("x".repeat(160) + "…", SafeText.excerpt("x".repeat(5000)));
    assertEquals("x".repeat(159) + "\\u0000…", SafeText.excerpt("x".repeat(159) + "\0more"));
  }

  @Test
  void textThatCouldForgeALineIsNotPlain() {
    assertTrue(SafeText.isPlain("s3a://bucket/é 字 😀"));
    for (String text :
        new String[] {"a\nb", "a\tb", "a\u0085b", "a\u202eb", "a\u2028b", "a\u2029b"}) {
      assertFalse(SafeText.isPlain(text), SafeText.excerpt(text));
    }
  }

  @Test
  void messagesOfLibrariesBecomeAscii() {
    assertEquals("OpenCV(4.10)  error:", SafeText.ascii("  OpenCV(4.10)\r\nerror: é\u0007 "));
    assertEquals("x".repeat(160), SafeText.ascii("x".repeat(161)));
  }

  @Test
  void referencesHoldNoSecrets() {
    String[][] expected = {
      {"s3a://bucket/a@b.png", "s3a://bucket/a@b.png"},
      {"s3a://KEY:secret@bucket/x", "s3a://…@bucket/x"},
      {"s3a://KEY:se/cr@et@bucket/x", "s3a://…@bucket/x"},
      {"https://token@host/x", "https://…@host/x"},
      {"https://user:p@ss@host/x@y", "https://…@host/x@y"},
      {"a://u@h/b://v:p@i/x", "a://…@h/b://…@i/x"},
      {"https://h/x?a=1&sig=2&c", "https://h/x?a=…&sig=…&c"},
      {"what?&a=b?c=d&e", "what?&a=…&e"},
      {"a\nb\u202ec\ud800d", "a�b�c�d"},
      {"é".repeat(200), "é".repeat(200)},
      {"😀".repeat(201), "😀".repeat(200) + "…"},
    };
    for (String[] pair : expected) {
      assertEquals(pair[1], SafeText.reference(pair[0]));
    }
  }

  @Test
  void secretsOfALineAreTakenOut() {
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
  void linesWithoutSecretsAreKeptAsTheyAre() {
    for (String line :
        new String[] {
          "{\"image\":\"s3://b/x?.jpg\",\"q\":\"mail a@b.c: what?\"}",
          "{\"image\":\"s3://b/a:b/x.jpg\",\"q\":\"who@where\"}",
          "{\"q\":\"Is it signed?\",\"answer\":\"token=3\"}"
        }) {
      byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
      assertSame(bytes, SafeText.withoutSecrets(bytes), line);
    }
  }

  @Test
  void escapesAreReadAsTheCharactersThatTheyStandFor() {
    String[][] expected = {
      {
        "\"https://h/x?AWSAccessKeyId\\u003dA\\u0026Expires\\u003d1\\u0026Signature\\u003dCANARY\"",
        "\"https://h/x?redacted\""
      },
      {
        "\"https://h/x?sv\\u003d2\\u0026sig\\u003DCANARY\",\"a\":1",
        "\"https://h/x?redacted\",\"a\":1"
      },
      {"\"s3a://AKIA:CANARY\\u0040bucket/x\"", "\"s3a://redacted\\u0040bucket/x\""},
      {
        "\"s3a\\u003a\\u002f\\/AKIA:CANARY\\u0040bucket\"",
        "\"s3a\\u003a\\u002f\\/redacted\\u0040bucket\""
      },
      {
        "\"{\\\"i\\\":\\\"s3:\\\\/\\\\/K:CANARY\\\\u0040b\\\"}\"",
        "\"{\\\"i\\\":\\\"s3:\\\\/\\\\/redacted\\\\u0040b\\\"}\""
      },
      {"\"https://h/x?\\u0073ig=CANARY\\n\"", "\"https://h/x?redacted\\n\""},
    };
    for (String[] pair : expected) {
      assertEquals(pair[1], removed(pair[0]));
    }
  }

  @Test
  void everyKindOfSecretIsTakenOut() {
    String[][] expected = {
      {"https://CANARY@raw.host/x", "https://redacted@raw.host/x"},
      {"https://user:CAN@ARY@host/x", "https://redacted@host/x"},
      {"https://host/x?api_key=CANARY", "https://host/x?redacted"},
      {"https://host/x?a=1&X-Amz-Signature=CANARY z", "https://host/x?redacted z"},
      {"https://host/x?u=a%3Fsig%3DCANARY", "https://host/x?redacted"},
      {"https://host/x?a?access_token=CANARY?b", "https://host/x?a?redacted"},
      {"s3://a/b:c/d@e?sig=CANARY", "s3://redacted@e?redacted"},
      {"https://u:CAN?sig=ARY@host@i", "https://redacted?redacted"},
      {"?sig=CANARY://a:CANARY@b", "?redacted"},
      {"?a=b://u:CANARY@h&sig=CANARY", "?a=b://redacted?redacted"},
      {"https://h/x?password=CANARY:x@y", "https://redacted?redacted"},
    };
    for (String[] pair : expected) {
      assertEquals(pair[1], removed(pair[0]), pair[0]);
    }
  }

  @Test
  void pathsAndQuestionsAreNoSecrets() {
    for (String line :
        new String[] {
          "https://medium.com/@user/post",
          "https://h/watch?v=1&list=2 and https://h/x#a@b",
          "where?monkey-token: 3",
          "C:\\\\new\\\\@x \\",
          "\\u00",
          ""
        }) {
      byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
      assertSame(bytes, SafeText.withoutSecrets(bytes), line);
    }
  }

  /** Anything worse than linear time would take hours. */
  @Test
  @Timeout(120)
  void hostileTextTakesLinearTime() {
    int size = 16 << 20;
    for (String piece :
        new String[] {
          "://:", "/://a:", "://", "://a", "?", "?a", "&", "?=", "@", "://@", ":", "/", "\\", "\\u",
          "-", "?sig", "%3d", "?-", "\\u0040"
        }) {
      String hostile = piece.repeat(size / piece.length()) + "@";
      assertTrue(SafeText.reference(hostile).length() <= 201);
      assertTrue(SafeText.excerpt(hostile).length() <= 166);
      byte[] line = hostile.getBytes(StandardCharsets.ISO_8859_1);
      assertTrue(SafeText.withoutSecrets(line).length <= 5L * line.length);
    }
  }

  private static String removed(String line) {
    return new String(
        SafeText.withoutSecrets(line.getBytes(StandardCharsets.UTF_8)), StandardCharsets.UTF_8);
  }
}
