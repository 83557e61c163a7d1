package io.stoker.common;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DurationsTest {
  @Test
  void unitsAreThoseOfSpark() {
    assertEquals(Duration.ofMillis(50), Durations.parse("50ms"));
    assertEquals(Duration.ofSeconds(30), Durations.parse("30 s"));
    assertEquals(Duration.ofMinutes(5), Durations.parse("5m"));
    assertEquals(Duration.ofMinutes(5), Durations.parse("5min"));
    assertEquals(Duration.ofHours(2), Durations.parse("2h"));
    assertEquals(Duration.ZERO, Durations.parse("0s"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "5", "-5s", "s", "5d", "1.5s", "99999999999999999999s"})
  void everythingElseIsRefused(String text) {
    assertThrows(IllegalArgumentException.class, () -> Durations.parse(text));
  }

  @Test
  void durationsWithoutEndAreRefused() {
    assertThrows(ArithmeticException.class, () -> Durations.parse("99999999999999999h"));
  }
}
