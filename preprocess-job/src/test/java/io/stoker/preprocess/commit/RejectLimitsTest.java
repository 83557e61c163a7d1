package io.stoker.preprocess.commit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RejectLimitsTest {
  @ParameterizedTest
  @CsvSource({
    "0, 30, 100, false",
    "3, 30, 100, true",
    "100, 10000, 100, false",
    "100, 9999, 100, true",
    "101, 10100, 101, false",
    "101, 9999, 100, false"
  })
  void aShareThatIsToleratedOnlyForItsSmallNumberIsWarnedOf(
      long rejected, long rows, long tolerated, boolean warned) {
    RejectLimits limits = new RejectLimits(0.01, 100);
    assertEquals(tolerated, limits.tolerated(rows));
    assertEquals(warned, limits.warning(rejected, rows).isPresent());
  }
}
