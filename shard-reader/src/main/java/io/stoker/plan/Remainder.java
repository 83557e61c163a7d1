package io.stoker.plan;

import java.util.Arrays;
import java.util.Locale;

/** What happens to the packs that do not fill a last step of an epoch. */
public enum Remainder {
  /** They are left out for this epoch; another epoch leaves out others. */
  DROP,
  /** They are read; the missing ones are packs of the same epoch once more, with zero loss. */
  PAD;

  /** The word in options and cursors: {@code drop} or {@code pad}. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * The policy of a word.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static Remainder of(String word) {
    return Arrays.stream(values())
        .filter(value -> value.word().equals(word))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "remainder: expected drop or pad, found '" + word + "'"));
  }
}
