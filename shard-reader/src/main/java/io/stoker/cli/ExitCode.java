package io.stoker.cli;

import io.stoker.format.ShardFormatException;
import java.io.IOException;
import picocli.CommandLine;

/** What the exit status of the command says. */
final class ExitCode {
  static final int OK = 0;
  static final int CORRUPT = 1;
  static final int USAGE = 2;
  static final int UNREACHABLE = 3;
  static final int NOT_FOUND = 4;
  static final int INTERNAL = 70;

  private ExitCode() {}

  /** Prints on the error stream what went wrong: one line, and the stack trace of a bug. */
  static int report(Exception failure, CommandLine command) {
    int code = of(failure);
    command.getErr().println("stoker: " + Report.printable(String.valueOf(failure.getMessage())));
    if (code == INTERNAL) {
      failure.printStackTrace(command.getErr());
    }
    command.getErr().flush();
    return code;
  }

  private static int of(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof ShardFormatException) {
        return CORRUPT;
      }
    }
    if (failure instanceof IOException) {
      return UNREACHABLE;
    }
    return failure instanceof IllegalArgumentException ? USAGE : INTERNAL;
  }
}
