package io.stoker.preprocess.vision;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import org.junit.jupiter.api.Test;

class ScratchTest {
  private final Scratch.IntRows rows = new Scratch.IntRows();

  @Test
  void arraysAreReusedWhereTheyAreLongEnough() {
    int[] first = rows.rows(2, 100)[0];
    assertEquals(128, first.length);
    assertSame(first, rows.rows(5, 128)[0]);
    assertNotSame(first, rows.rows(1, 129)[0]);
  }

  @Test
  void onlyWhatExceedsTheLimitIsForgotten() {
    int[] first = rows.rows(4, 64)[0];
    rows.trim(256);
    assertSame(first, rows.rows(1, 64)[0]);
    rows.rows(1, 65);
    rows.trim(256);
    assertEquals(1, rows.rows(1, 1).length);
  }
}
