package io.stoker.preprocess.sample;

import java.io.Serializable;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;

/**
 * Settings of the sample stage.
 *
 * @param maxLineBytes longest manifest line in bytes, at least 2; longer ones are rejected unread
 * @param maxNesting deepest JSON nesting, at least 4 (a typed image part needs that much)
 * @param maxTextChars longest text of a sample, summed over its turns, in UTF-16 units; at least 1
 * @param roles what each role name of a manifest means; names in lower case, matched without case
 * @param mergeConsecutiveTurns whether neighbouring turns of one role become one turn, with a
 *     newline between them; an empty one adds nothing. Otherwise the record is rejected
 * @param dropLeadingAnswer whether assistant turns before the first user turn are dropped, as LLaVA
 *     does; they are not merged with anything. Otherwise the record is rejected
 * @param keepEmptyAnswers whether an answer without text is kept, as the official code does; its
 *     end is trained. Otherwise the record is rejected
 * @param limits what one sample may cost
 */
public record SampleSettings(
    int maxLineBytes,
    int maxNesting,
    int maxTextChars,
    Map<String, Role> roles,
    boolean mergeConsecutiveTurns,
    boolean dropLeadingAnswer,
    boolean keepEmptyAnswers,
    Limits limits)
    implements Serializable {

  /** The role names that data sets in the field use. */
  public static final Map<String, Role> DEFAULT_ROLES =
      Map.of(
          "system", Role.SYSTEM,
          "user", Role.USER,
          "human", Role.USER,
          "assistant", Role.ASSISTANT,
          "gpt", Role.ASSISTANT,
          "bot", Role.ASSISTANT,
          "model", Role.ASSISTANT,
          "chatgpt", Role.ASSISTANT,
          "bing", Role.ASSISTANT);

  /** 16 MiB a line, nesting 32, 4 Mi characters a sample, every mistake rejected. */
  public static final SampleSettings DEFAULTS =
      new SampleSettings(16 << 20, 32, 4 << 20, DEFAULT_ROLES, false, false, false);

  /** With {@link Limits#DEFAULTS}. */
  public SampleSettings(
      int maxLineBytes,
      int maxNesting,
      int maxTextChars,
      Map<String, Role> roles,
      boolean mergeConsecutiveTurns,
      boolean dropLeadingAnswer,
      boolean keepEmptyAnswers) {
    this(
        maxLineBytes,
        maxNesting,
        maxTextChars,
        roles,
        mergeConsecutiveTurns,
        dropLeadingAnswer,
        keepEmptyAnswers,
        Limits.DEFAULTS);
  }

  public SampleSettings {
    if (maxLineBytes < 2 || maxNesting < 4 || maxTextChars < 1) {
      throw new IllegalArgumentException(
          ("expected maxLineBytes >= 2, maxNesting >= 4 and maxTextChars >= 1,"
                  + " found %d, %d and %d")
              .formatted(maxLineBytes, maxNesting, maxTextChars));
    }
    roles = Map.copyOf(roles);
    for (String name : roles.keySet()) {
      if (!name.equals(name.toLowerCase(Locale.ROOT))) {
        throw new IllegalArgumentException("expected role names in lower case, found " + name);
      }
    }
  }

  /**
   * What one sample may cost.
   *
   * @param maxImages most images
   * @param maxTime longest work, fetching aside; looked at between images and stages, so that one
   *     image may exceed it
   */
  public record Limits(int maxImages, Duration maxTime) implements Serializable {
    /** 1000 images, 5 minutes. */
    public static final Limits DEFAULTS = new Limits(1000, Duration.ofMinutes(5));

    public Limits {
      if (maxImages < 1 || maxTime.isNegative()) {
        throw new IllegalArgumentException(
            "expected maxImages >= 1 and maxTime >= 0, found %d and %s"
                .formatted(maxImages, maxTime));
      }
    }
  }
}
