package io.stoker.preprocess.reject;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

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

  private static String removed(String line) {
    return new String(
        SafeText.withoutSecrets(line.getBytes(StandardCharsets.UTF_8)), StandardCharsets.UTF_8);
  }
}
