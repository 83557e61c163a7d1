package io.stoker.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;

/**
 * What a command line gave.
 *
 * @param code exit code
 * @param out standard output, lines ending in a line feed
 * @param err standard error, likewise
 */
record Ran(int code, String out, String err) {
  /** A dataset of three packs in two blocks. */
  static final String GOLDEN = "src/test/resources/golden/v1";

  static Ran run(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine command =
        StokerMain.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    int code = command.execute(arguments);
    return new Ran(code, unix(out), unix(err));
  }

  private static String unix(StringWriter text) {
    return text.toString().replace(System.lineSeparator(), "\n");
  }

  static void assertOutput(String expected, String... arguments) {
    assertEquals(new Ran(0, expected, ""), run(arguments));
  }

  static void assertRefused(int code, String message, String... arguments) {
    String hint = code == 2 && !message.startsWith("stoker: the") ? hint(arguments[0]) : "";
    assertEquals(new Ran(code, "", message + "\n" + hint), run(arguments));
  }

  private static String hint(String command) {
    return "Try 'stoker " + command + " --help' for help.\n";
  }
}
