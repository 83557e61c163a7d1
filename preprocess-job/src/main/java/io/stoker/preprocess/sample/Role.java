package io.stoker.preprocess.sample;

/** Who speaks in a turn. */
public enum Role {
  SYSTEM,
  USER,
  ASSISTANT
}
