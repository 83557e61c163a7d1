package io.stoker.preprocess.reject;

import java.util.Locale;

/** Why a record cannot be used. The code, the lower-case name, is part of the output format. */
public enum RejectReason {
  /** Not one strict JSON object in valid UTF-8. */
  BAD_JSON,
  /** The JSON ends before the record does. */
  JSON_TRUNCATED,
  /** The line is longer than the limit. */
  LINE_TOO_LONG,
  /** A member has a type that no manifest shape allows. */
  BAD_TYPE,
  /** No manifest shape fits the record. */
  UNKNOWN_SHAPE,
  /** A role that is not in the alias table. */
  UNKNOWN_ROLE,
  /** Turns in an order that cannot be rendered. */
  BAD_TURN_ORDER,
  /** A turn without content where content is needed. */
  EMPTY_TURN,
  /** The number of media tags differs from the number of media. */
  MEDIA_COUNT_MISMATCH,
  /** A media kind that is not supported. */
  UNSUPPORTED_MEDIA,
  /** No assistant text to learn from. */
  NO_SUPERVISED_TOKENS,
  /** A control token spelled in the text, where the setting says to refuse. */
  CONTROL_TOKEN_IN_TEXT,
  /** A lone surrogate or another text that has no UTF-8 form. */
  BAD_TEXT,
  /** Text longer than the limit. */
  TEXT_TOO_LONG,
  /** More tokens than a pack holds. */
  TOO_LONG,
  /** A path that leaves its root, a scheme or bucket that is not allowed, or a malformed URI. */
  PATH_NOT_ALLOWED,
  /** The image object does not exist. */
  IMAGE_MISSING,
  /** Bytes that are no complete image. */
  IMAGE_CORRUPT,
  /** A format that is not on the allow list. */
  UNSUPPORTED_FORMAT,
  /** More encoded bytes than the limit. */
  IMAGE_TOO_LARGE,
  /** More pixels than the limit. */
  TOO_MANY_PIXELS,
  /** More images than the limit. */
  TOO_MANY_IMAGES,
  /**
   * More work or memory than one sample may take. It is also the reason for a sample with which two
   * processes ended.
   */
  RESOURCE_LIMIT,
  /** One side more than 200 times the other. */
  ASPECT_RATIO;

  /** The stable code of this reason, for example {@code media_count_mismatch}. */
  public String code() {
    return name().toLowerCase(Locale.ROOT);
  }
}
