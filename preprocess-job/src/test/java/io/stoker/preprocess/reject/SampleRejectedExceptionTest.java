package io.stoker.preprocess.reject;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class SampleRejectedExceptionTest {
  @Test
  void oneOfSeveralImagesIsNamed() {
    SampleRejectedException e =
        new SampleRejectedException(RejectReason.IMAGE_CORRUPT, "expected an image, found 0 bytes");
    assertEquals("image 3 of 3: expected an image, found 0 bytes", e.ofImage(2, 3).detail());
    assertEquals(RejectReason.IMAGE_CORRUPT, e.ofImage(2, 3).reason());
    assertEquals("expected an image, found 0 bytes", e.ofImage(0, 1).detail());
  }
}
