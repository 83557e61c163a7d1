package io.stoker.preprocess.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.Arrays;
import org.apache.spark.SparkException;
import org.junit.jupiter.api.Test;

/** Exit codes are an interface: scripts tell failures apart by them. */
class JobExceptionTest {
  @Test
  void exitCodesNeverChange() {
    int[] codes = new int[JobException.Kind.values().length];
    for (JobException.Kind kind : JobException.Kind.values()) {
      codes[kind.ordinal()] = kind.exitCode();
    }
    assertEquals("[1, 2, 3, 4, 5, 6, 7, 8, 9]", Arrays.toString(codes));
    assertEquals(4, JobException.Kind.MODEL.exitCode());
    assertEquals(5, JobException.Kind.EXISTS.exitCode());
    assertEquals(7, JobException.Kind.LOST.exitCode());
    assertEquals(9, JobException.Kind.OUTPUT.exitCode());
  }

  @Test
  void theFirstLineOfWhatSparkSaysIsEnough() {
    Exception wrapped =
        new IOException(new SparkException("it failed\n  at a\n  at b", new IOException("why")));
    assertEquals("it failed", JobException.firstLine(wrapped));
    assertEquals("null", JobException.firstLine(new IOException()));
  }
}
