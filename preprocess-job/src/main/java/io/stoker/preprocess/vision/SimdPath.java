package io.stoker.preprocess.vision;

import java.util.Optional;

/** Which implementation of the inner loops runs. The bytes are the same; only the time differs. */
public enum SimdPath {
  /** {@link #VECTOR} where it is known to be faster, else {@link #PLAIN}. */
  AUTO,
  /** Plain Java, in loops that the just-in-time compiler vectorises by itself. */
  PLAIN,
  /** The Vector API; needs a JVM started with {@code --add-modules jdk.incubator.vector}. */
  VECTOR;

  private static final String MODULE = "jdk.incubator.vector";

  /**
   * The path that {@link ImageProcessor} will take in this JVM: never {@link #AUTO}.
   *
   * @throws IllegalStateException for {@link #VECTOR} in a JVM without the Vector API
   */
  public SimdPath resolve() {
    boolean present = ModuleLayer.boot().findModule(MODULE).isPresent();
    return switch (this) {
      case PLAIN -> PLAIN;
      case AUTO -> present && VectorLoops.isWide() ? VECTOR : PLAIN;
      case VECTOR -> {
        if (!present) {
          throw new IllegalStateException(
              "the vector path needs module "
                  + MODULE
                  + ", which this JVM does not have: start it with --add-modules "
                  + MODULE
                  + " or choose the auto or plain path");
        }
        yield VECTOR;
      }
    };
  }

  /** What resizes most pictures faster than {@link #loops}, if this path has it. */
  Optional<RowResize> rowResize(ResizeKernel kernel, Scratch scratch) {
    // As with the loops below, the class is linked only where the module is.
    return resolve() == VECTOR && RowKernels.areWide()
        ? Optional.of(new RowResize(kernel, scratch))
        : Optional.empty();
  }

  /** New loops, to be used by one thread. */
  ResizeLoops loops() {
    // VectorLoops is linked only when this line creates one, so its absent module does no harm.
    return resolve() == VECTOR ? new VectorLoops() : new PlainLoops();
  }
}
