package io.stoker.preprocess.bench;

/**
 * How much a benchmark does: in the short form, {@code -Dstoker.bench.short=true}, just enough to
 * see that it works. The figures say nothing then.
 */
public final class Effort {
  private static final String PROPERTY = "stoker.bench.short";
  private static final boolean SHORT = Boolean.getBoolean(PROPERTY);

  private Effort() {}

  /** The flag of a process that shall do as much as this one. */
  public static String flag() {
    return "-D" + PROPERTY + "=" + SHORT;
  }

  /** One of two numbers of rounds, samples and the like. */
  public static int of(int full, int few) {
    return SHORT ? few : full;
  }
}
