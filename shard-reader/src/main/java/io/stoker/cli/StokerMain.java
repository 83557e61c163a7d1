package io.stoker.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Arguments → one of the commands → exit code. */
@Command(
    name = "stoker",
    mixinStandardHelpOptions = true,
    versionProvider = FormatVersions.class,
    synopsisSubcommandLabel = "COMMAND",
    description = "Looks at datasets of finished samples.",
    footer = {
      "%nstoker COMMAND --help tells more.",
      "stoker clean OUTPUT, which comes with the job, lists and removes what killed jobs left."
    },
    subcommands = {
      InspectCommand.class,
      VerifyCommand.class,
      StatsCommand.class,
      PlanCommand.class,
      BenchCommand.class
    })
public final class StokerMain {
  private StokerMain() {}

  public static void main(String[] args) {
    System.exit(commandLine().execute(args));
  }

  /** The command, ready to execute. */
  static CommandLine commandLine() {
    CommandLine command = new CommandLine(new StokerMain());
    command.setExecutionExceptionHandler(
        (failure, line, arguments) -> ExitCode.report(failure, line));
    command.setParameterExceptionHandler(
        (failure, arguments) -> {
          CommandLine line = failure.getCommandLine();
          line.getErr()
              .println("stoker: " + Report.printable(String.valueOf(failure.getMessage())));
          line.getErr()
              .println("Try '" + line.getCommandSpec().qualifiedName() + " --help' for help.");
          line.getErr().flush();
          return ExitCode.USAGE;
        });
    return command;
  }
}
