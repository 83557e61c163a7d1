package io.stoker.preprocess.sample;

/** The speaker of a turn. */
public enum Role {
  SYSTEM,
  USER,
  ASSISTANT
}
