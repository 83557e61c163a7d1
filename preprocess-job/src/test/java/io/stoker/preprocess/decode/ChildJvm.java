package io.stoker.preprocess.decode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A JVM in which only native memory can grow, and which may die without taking the tests along. */
final class ChildJvm {
  private static final Path STATUS = Path.of("/proc/self/status");
  private static final int TIMEOUT_MINUTES = 15;

  private ChildJvm() {}

  /** Runs a main class, prints what it prints, and fails unless it ends by itself with 0. */
  static void run(Path directory, Class<?> main, String... arguments)
      throws IOException, InterruptedException {
    Path printed = directory.resolve("printed");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            // The whole heap is there from the start, so that what grows is native.
            "-Xms192m",
            "-Xmx192m",
            "-XX:+AlwaysPreTouch",
            "-XX:+UseSerialGC",
            "-XX:ErrorFile=" + directory.resolve("hs_err"),
            "-cp",
            System.getProperty("java.class.path"),
            main.getName()));
    command.addAll(List.of(arguments));
    Process child =
        new ProcessBuilder(command)
            .redirectOutput(printed.toFile())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      assertTrue(child.waitFor(TIMEOUT_MINUTES, TimeUnit.MINUTES), "no end");
    } finally {
      child.destroyForcibly();
    }
    String text = Files.readString(printed, StandardCharsets.UTF_8);
    assertEquals(0, child.exitValue(), text);
    System.out.print(text);
  }

  /** Anonymous pages: what the heap and the C allocator hold, without mapped files. */
  static long residentKb() throws IOException {
    return Files.readAllLines(STATUS).stream()
        .filter(line -> line.startsWith("RssAnon:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
        .findFirst()
        .orElseThrow();
  }
}
