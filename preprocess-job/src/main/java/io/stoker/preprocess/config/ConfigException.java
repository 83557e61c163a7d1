package io.stoker.preprocess.config;

import java.util.List;

/** A configuration that cannot be used; lists all its problems at once. */
public final class ConfigException extends Exception {
  private static final long serialVersionUID = 1L;

  private final List<String> problems;

  ConfigException(List<String> problems) {
    super(String.join("\n", problems));
    this.problems = List.copyOf(problems);
  }

  /** One sentence each. */
  public List<String> problems() {
    return problems;
  }
}
