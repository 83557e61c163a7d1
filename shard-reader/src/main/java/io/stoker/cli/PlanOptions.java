package io.stoker.cli;

import io.stoker.plan.PlanSettings;
import io.stoker.plan.Remainder;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The settings that a training run gives its readers. */
@Command
final class PlanOptions {
  @Option(
      names = "--global-batch",
      paramLabel = "G",
      required = true,
      description = "Packs of a step over all ranks.")
  private int globalBatch;

  @Option(
      names = "--micro-batch",
      paramLabel = "M",
      defaultValue = "1",
      description = "Packs of one forward pass (default: ${DEFAULT-VALUE}).")
  private int microBatch;

  @Option(
      names = "--world-size",
      paramLabel = "W",
      defaultValue = "1",
      description = "Number of ranks (default: ${DEFAULT-VALUE}).")
  private int worldSize;

  @Option(
      names = "--seed",
      paramLabel = "S",
      defaultValue = "0",
      description = "Seed of the block order (default: ${DEFAULT-VALUE}).")
  private long seed;

  @Option(
      names = "--epoch",
      paramLabel = "E",
      defaultValue = "0",
      description = "Epoch, counted from 0 (default: ${DEFAULT-VALUE}).")
  private long epoch;

  @Option(
      names = "--remainder",
      paramLabel = "drop|pad",
      defaultValue = "drop",
      converter = RemainderConverter.class,
      description = "What does not fill a last step (default: ${DEFAULT-VALUE}).")
  private Remainder remainder;

  /** {@code drop}, {@code pad}. */
  static final class RemainderConverter implements ITypeConverter<Remainder> {
    @Override
    public Remainder convert(String value) {
      try {
        return Remainder.of(value);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException("expected drop or pad, found " + value);
      }
    }
  }

  PlanSettings settings() {
    return new PlanSettings(seed, globalBatch, microBatch, remainder);
  }

  int worldSize() {
    return worldSize;
  }

  long epoch() {
    if (epoch < 0) {
      throw new IllegalArgumentException("--epoch: expected at least 0, found " + epoch);
    }
    return epoch;
  }
}
