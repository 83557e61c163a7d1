package io.stoker.preprocess.fetch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.stoker.preprocess.reject.RejectReason;
import io.stoker.preprocess.reject.SampleRejectedException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every kind of reference has one defined answer. */
class MediaResolverTest {
  private static final String S3 = "s3a://bucket/data/set/m.jsonl";
  private static final String LOCAL = "file:/data/set/m.jsonl";

  static Stream<Arguments> keys() {
    return Stream.of(
            // Keys are opaque.
            "a/b.jpg",
            "a//b.jpg",
            "a/./b.jpg",
            "./b.jpg",
            "%2e%2e/b.jpg",
            "%2F%252F.jpg",
            "a+b.jpg",
            "a b.jpg",
            " b.jpg",
            "b.jpg ",
            "b.",
            "deep field #1.jpg",
            "what?.jpg",
            "a&b:c*[x]{a,b}.jpg",
            "caf\u00e9.jpg",
            "cafe\u0301.jpg",
            "\uD83D\uDE80.jpg",
            "\u202Egpj.b",
            "a/",
            "..b/..c.jpg",
            "...",
            "@2x.jpg",
            // These do not mean what they mean on Windows.
            "C:\\images\\a.jpg",
            "C:/images/a.jpg",
            "\\\\host\\share\\a.jpg",
            "a\\..\\b.jpg",
            "file:a.jpg",
            "s3:bucket")
        .map(Arguments::of);
  }

  @ParameterizedTest
  @MethodSource("keys")
  void aRelativeKeyIsAppendedAsItIs(String key) throws Exception {
    assertEquals(
        new MediaSource.Stored("s3a", "bucket", "data/set/" + key, List.of("data/set")),
        resolver().resolve(key, S3));
    assertEquals(
        new MediaSource.Stored("file", "", "data/set/" + key, List.of("data/set")),
        resolver().resolve(key, LOCAL));
  }

  @ParameterizedTest
  @CsvSource({
    "a/../b.jpg, b.jpg",
    "a/b/../../c.jpg, c.jpg",
    "a/./../b.jpg, b.jpg",
    "a//../b.jpg, b.jpg",
    "../set/b.jpg, b.jpg",
    "../../data/set/b.jpg, b.jpg",
    "a/b/..//c.jpg, a//c.jpg",
  })
  void parentsInsideTheRootAreResolved(String reference, String key) throws Exception {
    assertEquals("data/set/" + key, key(reference, S3));
    assertEquals("data/set/" + key, key(reference, LOCAL));
  }

  @ParameterizedTest
  @CsvSource({
    "s3://bucket/data/set/a.jpg, data/set/a.jpg",
    "s3a://bucket/data/set/a.jpg, data/set/a.jpg",
    "S3://bucket/data/set//x/%20.jpg, data/set//x/%20.jpg",
    "s3://bucket/data/set/what?.jpg#1, data/set/what?.jpg#1",
    "s3://bucket/data/set/img@2x.jpg, data/set/img@2x.jpg",
    "s3://bucket/data/set/a:b@c.jpg, data/set/a:b@c.jpg",
  })
  void anAbsoluteUriInsideTheRootIsTaken(String reference, String key) throws Exception {
    assertEquals(key, key(reference, S3));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/data/set/a.jpg",
        "file:/data/set/a.jpg",
        "file:///data/set/a.jpg",
        "FILE:///data/set/a.jpg",
        "File:/data/set/a.jpg"
      })
  void anAbsoluteLocalPathInsideTheRootIsTaken(String reference) throws Exception {
    assertEquals("data/set/a.jpg", key(reference, LOCAL));
    assertRejected("expected a reference under s3a://bucket/data/set, found ", reference, S3);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "../a.jpg",
        "../settings/a.jpg",
        "../set",
        "a/../../a.jpg",
        "./../a.jpg",
        ".//../a.jpg",
        "/etc/passwd",
        "//etc/passwd",
        "file:///etc/passwd",
        "file:/etc/passwd",
        "file:////etc/passwd",
        "file://localhost/data/set/a.jpg",
        "file:///data/set/../../etc/passwd",
        "s3://other-bucket/data/set/a.jpg",
        "s3a://bucket/data/setting/a.jpg",
        "s3a://bucket/data/set",
        "s3://bucket",
        "s3:///data/set/a.jpg",
        "hdfs://name-node:8020/data/set/a.jpg",
        "ftp://host/data/set/a.jpg",
      })
  void whatLeavesTheRootIsRefused(String reference) {
    assertRejected("expected a reference under s3a://bucket/data/set, found ", reference, S3);
    assertRejected("expected a reference under file:///data/set, found ", reference, LOCAL);
  }

  @ParameterizedTest
  @ValueSource(strings = {"../../../a.jpg", "../../../../../etc/passwd", "a/../../../../b"})
  void whatClimbsOutOfTheStoreIsRefused(String reference) {
    assertRejected("expected a path inside its root, found ", reference, S3);
    assertRejected("expected a path inside its root, found ", reference, LOCAL);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://169.254.169.254/latest/meta-data",
        "https://host/a.jpg",
        "HTTPS://host/a.jpg",
        "http://host"
      })
  void thereIsNoHttp(String reference) {
    assertRejected("expected an object of a configured store, found ", reference, S3);
    assertRejected("expected an object of a configured store, found ", reference, LOCAL);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "s3a://AKIACANARY:CANARY@bucket/data/set/a.jpg",
        "s3a://AKIACANARY:CAN/ARY@bucket/data/set/a.jpg",
        "s3a://AKIACANARY:CAN+/AR/Y=@bucket/data/set/a.jpg",
        "s3a://CANARY@bucket/data/set/a.jpg",
        "https://user:CANARY@host/a.jpg",
        "https://bucket.host/a.jpg?X-Amz-Credential=CANARY&X-Amz-Signature=CANARY",
        "s3://other/a.jpg?X-Amz-Credential=CANARY&X-Amz-Signature=CANARY#CANARY",
        "../a.jpg?token=CANARY",
        "hdfs://user:CANARY@host/a.jpg",
        "a\n?token=CANARY"
      })
  void secretsNeverShow(String reference) {
    for (String manifest : List.of(S3, LOCAL)) {
      SampleRejectedException e = rejection(reference, manifest);
      assertFalse(e.detail().contains("CANARY"), e.detail());
      assertFalse(e.detail().contains("ARY@"), e.detail());
    }
  }

  @Test
  void secretsNeverShowWhereAStoreSpeaksOfAnObject() throws Exception {
    MediaSource source = resolver().resolve("a.jpg?X-Amz-Signature=CANARY&b=c", S3);
    assertEquals("s3a://bucket/data/set/a.jpg?X-Amz-Signature=…&b=…", source.toString());
    assertEquals("s3a://bucket/data/set/what?.jpg", resolver().resolve("what?.jpg", S3).toString());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "\t", "a\nb.jpg", "a\0b.jpg", "a\u007Fb.jpg", "a\u0085b.jpg"})
  void emptyPathsAndControlCharactersAreRefused(String reference) {
    for (String manifest : List.of(S3, LOCAL)) {
      SampleRejectedException e = rejection(reference, manifest);
      assertTrue(e.detail().chars().noneMatch(Character::isISOControl), e.detail());
    }
  }

  @Test
  void aLoneSurrogateIsRefused() {
    assertRejected("expected a path in valid Unicode, found a\uFFFD.jpg", "a\uD83D.jpg", S3);
  }

  @Test
  void detailsAreOneLineOfLimitedLength() {
    String detail = rejection("../\u202E\u2028" + "\uD83D\uDE80".repeat(300), S3).detail();
    assertTrue(detail.contains("../\uFFFD\uFFFD\uD83D\uDE80"), detail);
    assertTrue(detail.contains("\uD83D\uDE80…;"), detail);
    assertTrue(UTF_8.newEncoder().canEncode(detail), "no surrogate is cut off");
    assertTrue(detail.codePointCount(0, detail.length()) < 400, detail);
  }

  @Test
  void aReferenceToAWholeStoreNamesNoObject() {
    for (String reference : List.of("s3://bucket", "s3://bucket/", "a/..")) {
      assertRejected("expected the key of an object, found ", reference, "s3a://bucket/m.jsonl");
    }
    assertRejected("expected the key of an object, found /", "/", "file:/m.jsonl");
  }

  @Test
  void aKeyThatS3WouldRefuseIsTheRecordsFault() throws Exception {
    String longest = "é".repeat((1024 - "data/set/".length()) / 2) + "x";
    assertEquals("data/set/" + longest, key(longest, S3));
    assertRejected("expected a key of at most 1024 bytes, found 1025", longest + "x", S3);
    assertEquals("data/set/" + longest + "x", key(longest + "x", LOCAL));
  }

  private static MediaResolver resolver() {
    return new MediaResolver(new FetchSettings(1, 1, 1, 1, "", List.of()));
  }

  private static String key(String reference, String manifest) throws Exception {
    return assertInstanceOf(
            MediaSource.Stored.class, resolver().resolve(reference, manifest), reference)
        .key();
  }

  private static SampleRejectedException rejection(String reference, String manifest) {
    SampleRejectedException e =
        assertThrows(SampleRejectedException.class, () -> resolver().resolve(reference, manifest));
    assertEquals(RejectReason.PATH_NOT_ALLOWED, e.reason());
    return e;
  }

  private static void assertRejected(String start, String reference, String manifest) {
    String detail = rejection(reference, manifest).detail();
    assertTrue(detail.startsWith(start), detail);
  }
}
