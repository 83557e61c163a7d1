package io.stoker.preprocess.fetch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.stoker.preprocess.reject.RejectReason;
import io.stoker.preprocess.reject.SampleRejectedException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Configured roots, and references that need none. */
class MediaRootsTest {
  private static final String S3 = "s3a://bucket/data/set/m.jsonl";
  private static final String LOCAL = "file:/data/set/m.jsonl";

  @Test
  void aConfiguredRootReplacesTheManifestsDirectory() throws Exception {
    for (String root : List.of("s3://images/all", "s3a://images/all/", "s3a://images/x/../all")) {
      MediaResolver resolver = resolver(root);
      assertEquals("s3a://images/all/a.jpg", resolver.resolve("a.jpg", LOCAL).toString());
      assertThrows(SampleRejectedException.class, () -> resolver.resolve("/data/set/a.jpg", LOCAL));
    }
    MediaResolver local = resolver("/mnt/images");
    assertEquals("file:///mnt/images/a.jpg", local.resolve("a.jpg", S3).toString());
    MediaResolver bucket = resolver("s3://images");
    assertEquals("s3a://images/a.jpg", bucket.resolve("a.jpg", S3).toString());
  }

  @Test
  void allowedRootsAreAllowedBesides() throws Exception {
    MediaResolver resolver = resolver("", "s3://images/all", "/mnt/images", "s3a://bucket/shared/");
    assertEquals(
        new MediaSource.Stored("s3a", "images", "all/a.jpg", List.of("all")),
        resolver.resolve("s3://images/all/a.jpg", S3));
    assertEquals(
        new MediaSource.Stored("file", "", "mnt/images/a.jpg", List.of("mnt/images")),
        resolver.resolve("/mnt/images/a.jpg", S3));
    assertEquals(
        new MediaSource.Stored("s3a", "bucket", "data/shared.jpg", List.of("shared", "data")),
        resolver.resolve("../data/shared.jpg", "s3a://bucket/data/m.jsonl"));
    assertEquals(
        "s3a://bucket/shared/a.jpg", resolver.resolve("../../shared/a.jpg", S3).toString());
    assertThrows(
        SampleRejectedException.class, () -> resolver.resolve("s3://images/other/a.jpg", S3));
    assertThrows(
        SampleRejectedException.class,
        () -> resolver.resolve("s3://images/all/../other/a.jpg", S3));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"images", "./images", "https://host/x", "s3a://key:CANARY@bucket", "s3a:/x"})
  void aRootIsAnAbsoluteUriOfAStore(String root) {
    for (FetchSettings settings : List.of(settings(root), settings("", root))) {
      IllegalArgumentException e =
          assertThrows(IllegalArgumentException.class, () -> new MediaResolver(settings));
      assertTrue(
          String.valueOf(e.getMessage())
              .startsWith("expected a root such as s3a://bucket/prefix or /directory"),
          e.getMessage());
      assertFalse(String.valueOf(e.getMessage()).contains("CANARY"), e.getMessage());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "data:image/png;base64,aGVsbG8=",
        "data:;base64,aGVsbG8",
        "DATA:image/jpeg;charset=x;base64,aGVsbG8=",
        "data:image/png;base64, aGVs\r\nbG8= "
      })
  void dataUrisAreDecoded(String reference) throws Exception {
    MediaSource source = resolver("").resolve(reference, S3);
    assertArrayEquals(
        "hello".getBytes(UTF_8), assertInstanceOf(MediaSource.Inline.class, source).bytes());
  }

  @ParameterizedTest
  @CsvSource({
    "data:, another data: URI",
    "'data:image/png;base64', another data: URI",
    "'data:image/svg+xml,<svg/>', another data: URI",
    "'data:image/png;base64,aGVsbG8=!', something else",
    "'data:image/png;base64,####', something else",
    "'data:image/png;base64,a', something else"
  })
  void badDataUrisAreRefused(String reference, String found) {
    SampleRejectedException e =
        assertThrows(SampleRejectedException.class, () -> resolver("").resolve(reference, S3));
    assertEquals(RejectReason.PATH_NOT_ALLOWED, e.reason());
    assertTrue(e.detail().endsWith("found " + found), e.detail());
  }

  private static FetchSettings settings(String root, String... allowed) {
    return new FetchSettings(1, 1, 1, 1, root, List.of(allowed));
  }

  private static MediaResolver resolver(String root, String... allowed) {
    return new MediaResolver(settings(root, allowed));
  }

  /** Where a rejected row that is fed back says it comes from. */
  @ParameterizedTest
  @CsvSource({
    "s3a://bucket/jobs/rejects/x.jsonl, true",
    "s3a://bucket/jobs/rejects/../rejects/x.jsonl, true",
    "s3a://bucket/jobs/x.jsonl, false",
    "s3a://bucket/jobs/rejects/../x.jsonl, false",
    "s3a://bucket/jobs/rejects/deeper/x.jsonl, false",
    "s3a://other/jobs/rejects/x.jsonl, false",
    "s3a://bucket/shared/x.jsonl, true",
    "s3a://bucket/shared/deeper/x.jsonl, true",
    "s3a://bucket/shared2/x.jsonl, false",
    "s3a://bucket/shared/../x.jsonl, false",
    "s3a://bucket/x.jsonl, false",
    "file:/etc/x.jsonl, false",
    "/etc/x.jsonl, false",
    "https://host/x.jsonl, false",
    "x.jsonl, false",
    "'', false"
  })
  void aClaimedOriginMustBeAllowed(String manifest, boolean allowed) throws Exception {
    MediaResolver resolver =
        new MediaResolver(
            settings("", "s3://bucket/shared"), List.of("s3a://bucket/jobs/rejects/", "file:/"));
    if (allowed) {
      resolver.checkOrigin(manifest);
    } else {
      SampleRejectedException e =
          assertThrows(SampleRejectedException.class, () -> resolver.checkOrigin(manifest));
      assertEquals(RejectReason.PATH_NOT_ALLOWED, e.reason());
    }
    // With a root of their own, references do not start at the manifest.
    resolver("s3://images").checkOrigin(manifest);
  }

  @Test
  void manifestsOfStoresWithoutImagesAreNoFault() {
    MediaResolver resolver =
        new MediaResolver(settings("", "s3://b"), List.of("abfs://c@account/x/", "https://h/"));
    SampleRejectedException e =
        assertThrows(
            SampleRejectedException.class, () -> resolver.checkOrigin("s3a://a/m/x.jsonl"));
    assertEquals(
        "expected a row of a manifest beside this job's, found one of s3a://a/m/x.jsonl; set image.root, or image.allowed-roots to the directory of that manifest",
        e.detail());
  }
}
