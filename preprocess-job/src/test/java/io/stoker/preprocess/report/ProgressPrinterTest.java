package io.stoker.preprocess.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Locale;
import org.junit.jupiter.api.Test;

/** The line that is printed. */
class ProgressPrinterTest {
  private static final int MIB = 1 << 20;

  @Test
  void halfWay() {
    assertEquals(
        "stoker: 5,000 of 10,000 samples (50 %), 500.0 samples/s, 2.5 MiB/s in, 7.0 MiB/s out, 20"
            + " rejected, 10s left",
        line(10_000, 4_980, 20, 25L * MIB, 70L * MIB, 10));
  }

  @Test
  void theBeginningKnowsNoEnd() {
    assertEquals(
        "stoker: 0 of 10 samples (0 %), 0.0 samples/s, 0.0 MiB/s in, 0.0 MiB/s out, 0 rejected,"
            + " unknown left",
        line(10, 0, 0, 0, 0, 5));
  }

  @Test
  void timesAreWrittenInHours() {
    assertEquals("3h2m31s left", last(10_952, 1, 0, 1));
    assertEquals("0s left", last(10, 10, 0, 5));
  }

  @Test
  void retriesDoNotPassTheEnd() {
    assertEquals(
        "stoker: 10 of 10 samples (100 %), 5.0 samples/s, 0.0 MiB/s in, 0.0 MiB/s out, 4 rejected,"
            + " 0s left",
        line(10, 9, 4, 0, 0, 2));
  }

  @Test
  void theLineIsTheSameInEveryLocale() {
    Locale before = Locale.getDefault();
    try {
      Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
      halfWay();
    } finally {
      Locale.setDefault(before);
    }
  }

  private static String line(
      long rows, long written, long rejected, long bytesIn, long bytesOut, double seconds) {
    ProgressPrinter.Totals totals =
        new ProgressPrinter.Totals(written, rejected, bytesIn, bytesOut);
    return ProgressPrinter.line(rows, totals, seconds);
  }

  private static String last(long rows, long written, long rejected, double seconds) {
    String line = line(rows, written, rejected, 0, 0, seconds);
    return line.substring(line.lastIndexOf(", ") + 2);
  }
}
