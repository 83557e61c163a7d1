package io.stoker.preprocess.it;

import io.stoker.preprocess.it.Processes.Started;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * A place where one process stands still until it is told to go on; see {@code CrashPoint}.
 *
 * @param point name of the place
 * @param file where the process says that it is there
 */
record Pause(String point, Path file) {
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  /** The JVM flag that makes it stand still. */
  String flag() {
    return "-Dstoker.pause-point=%s:%s".formatted(point, file);
  }

  /** Waits until a process stands there, started by this one or by its executors. */
  ProcessHandle await(Started job) {
    Processes.await(job, PATIENCE, () -> !pid().isEmpty());
    return ProcessHandle.of(Long.parseLong(pid())).orElseThrow();
  }

  private String pid() {
    try {
      return Files.exists(file) ? Files.readString(file) : "";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Lets it go on. */
  void release() throws IOException {
    Files.createFile(file.resolveSibling(file.getFileName() + ".go"));
  }
}
