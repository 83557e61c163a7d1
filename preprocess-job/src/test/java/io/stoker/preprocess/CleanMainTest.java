package io.stoker.preprocess;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class CleanMainTest {
  private final CleanMain.AgeConverter converter = new CleanMain.AgeConverter();

  @ParameterizedTest
  @CsvSource({"24h, PT24H", "30m, PT30M", "0s, PT0S", "-1h, PT-1H"})
  void anAgeIsADuration(String text, Duration expected) {
    assertEquals(expected, converter.convert(text));
  }

  @ParameterizedTest
  @ValueSource(strings = {"24", "h", "1d", "99999999999999999h", "99999999999999999999h"})
  void anAgeWithoutAUnitIsAnsweredWithExamples(String text) {
    TypeConversionException refused =
        assertThrows(TypeConversionException.class, () -> converter.convert(text));
    assertEquals("expected an age such as 24h or 30m, found " + text, refused.getMessage());
  }
}
