package io.stoker.preprocess.store;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class S3aUriTest {
  @ParameterizedTest
  @CsvSource({
    "s3://b/k, s3a://b/k",
    "s3a://b/k, s3a://b/k",
    "hdfs://h/s3://k, hdfs://h/s3://k",
    "/s3/x, /s3/x",
    "s3, s3"
  })
  void onlyTheSchemeOfUrisChanges(String uri, String expected) {
    assertEquals(expected, S3aUri.of(uri));
  }

  @Test
  void schemes() {
    assertEquals("s3a", S3aUri.scheme("s3"));
    assertEquals("s3a", S3aUri.scheme("s3a"));
    assertEquals("file", S3aUri.scheme("file"));
  }
}
